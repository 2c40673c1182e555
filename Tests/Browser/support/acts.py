"""Actions that a phone folds behind «More actions» (public/js/page/more.js)."""


def unfold(page, element):
    """Opens the folded actions if the element is one of them."""
    element.wait_for(state="attached")
    folded = page.locator(".more-open:visible + .more-acts:not(.is-open)").filter(has=element)
    if folded.count():
        page.locator(f"[aria-controls={folded.first.get_attribute('id')}]").click()
    return element
