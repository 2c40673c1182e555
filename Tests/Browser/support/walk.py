"""The main walk, in expressions that every browser understands; it returns its observations for comparison."""

from support.waiting import until

SETTLED = """(async () => {
  const rests = () => {
    const list = document.querySelector('#list');
    const drawn = document.body.classList.contains('no-map') || document.querySelector('#map.is-drawn');
    return Boolean(list && drawn && !list.hasAttribute('aria-busy') && !list.querySelector('.skeleton-row')
      && /\\d/.test(document.querySelector('#list-title').textContent));
  };
  if (!rests()) return false;
  await new Promise((resolve) => setTimeout(resolve, 500));
  return rests();
})()"""

# The legal rights load after the rest of the page.
WHOLE_PAGE = "document.querySelectorAll('.fact-section').length > 5 && !document.querySelector('main [aria-busy=true]')"


def words(selector):
    """An expression: the text of all elements of a selector, with single spaces.

    Only Chromium includes the options of a closed list in the text, so they are left out. So is a space before a colon,
    which some pages contain for screen readers."""
    return (f"[...document.querySelectorAll({selector!r})].map((one) => {{"
            " const plain = (text) => text.trim().replace(/\\s+/g, ' ').replaceAll(' :', ':');"
            " return plain([...one.querySelectorAll('select')].reduce("
            "(text, list) => text.replace(plain(list.innerText), ''), plain(one.innerText))); })")


def middle(selector):
    return ("(() => { const edge = document.querySelector(%r).getBoundingClientRect();"
            " return [edge.left + edge.width / 2, edge.top + edge.height / 2]; })()" % selector)


class Walk:
    """One walk in one browser, which provides goto, evaluate, click, type and back."""

    def __init__(self, browser, farol):
        self.browser = browser
        self.farol = farol
        self.seen = {}

    def open(self, address, language="en"):
        self.browser.goto("about:blank")
        path, _, view = address.partition("#")
        self.browser.goto(f"{self.farol.address}{path}?lang={language}#{view}")
        self.settle()

    def settle(self):
        until(lambda: self.browser.evaluate(SETTLED) is True, f"{self.browser.name} to rest", seconds=90)

    def click(self, selector):
        until(lambda: self.browser.evaluate(f"Boolean(document.querySelector({selector!r})?.offsetParent)"),
              f"{selector} in {self.browser.name}")
        self.browser.evaluate(f"document.querySelector({selector!r}).scrollIntoView({{block: 'center'}})")
        self.browser.click(*self.browser.evaluate(middle(selector)))

    def wait(self, selector, text):
        until(lambda: any(text in one for one in self.browser.evaluate(words(selector))),
              f"“{text}” in {selector} in {self.browser.name}")

    def look(self, name, *selectors):
        """Records the text of some elements."""
        self.seen[name] = [self.browser.evaluate(words(selector)) for selector in selectors]

    def has_map(self):
        return self.browser.evaluate("!document.body.classList.contains('no-map')")

    def all(self):
        """The whole walk."""
        for language in ("en", "pt"):
            self.open("/#map=14.00/32.6480/-16.9080", language)
            self.look(f"list {language}", "#list-title", ".device-row", ".filters-open", ".list-end")
            self.seen[f"lang {language}"] = self.browser.evaluate("document.documentElement.lang")
        self.seen["map"] = self.has_map()
        self.stack()
        self.device("en", "Warden’s hut camera")
        self.device("pt", "Warden’s hut camera")
        self.filters()
        self.search()
        return self.seen

    def stack(self):
        self.open("/#map=15.00/33.06270/-16.31710")
        if self.has_map():
            self.browser.click(*self.browser.evaluate(middle("#map-canvas")))
            self.wait("#list-title", "at this spot")
            self.settle()
        self.look("stack", "#list-title", ".row-name")

    def device(self, language, name):
        self.open("/#map=15.00/30.14060/-15.86620", language)
        if self.has_map():
            self.browser.click(*self.browser.evaluate(middle("#map-canvas")))
        else:
            self.click(".device-row")
        self.wait("#card h2", name)
        until(lambda: self.browser.evaluate("Boolean(document.querySelector('#card .card-acts'))"), "the card")
        self.settle()
        self.look(f"card {language}", "#card h2", "#card dl > div", ".card-acts .button")
        self.click(".card-acts a.button")
        self.wait("h1", name)
        until(lambda: self.browser.evaluate(WHOLE_PAGE), f"the device's page in {self.browser.name}")
        self.look(f"page {language}", "main h1", ".device-sentence", ".device-sections")
        self.seen[f"page address {language}"] = self.browser.evaluate("location.pathname")
        self.browser.back()
        self.settle()
        self.wait("#card h2", name)

    def filters(self):
        self.open("/#map=14.00/32.6480/-16.9080")
        self.click(".filters-open")
        self.click("dialog.filters label.option")
        self.wait("#list-title", "2 cameras")
        self.look("filters", "#list-title", ".row-name", ".dialog-foot .button", "dialog.filters summary")
        self.click(".dialog-foot .primary")
        self.settle()
        self.look("filtered", ".active-filters li", ".row-name")
        self.seen["filtered address"] = self.browser.evaluate(
            "new URLSearchParams(location.search).get('category')")

    def search(self):
        self.open("/#map=14.00/32.6480/-16.9080")
        self.click("#search")
        self.browser.type("tide gauge")
        self.wait("[role=option]", "Pier tide gauge")
        until(lambda: self.browser.evaluate("!document.querySelector('.suggestions-wait')"),
              f"all suggestions in {self.browser.name}")
        self.look("search", "[role=option]")
        found = next(number for number, one in enumerate(self.seen["search"][0]) if "Pier tide gauge" in one)
        self.click(f"#suggestion-{found}")
        self.wait("#card h2", "Pier tide gauge")
