"""The scripts and style sheets of each page stay within a budget of files and of packed bytes.

docs/reference/performance.md lists the measured sizes. A page that needs more has to load a module later
(`late` or `soon` in public/js/late.js), or a reviewer raises its budget.
"""

from support.case import FUNCHAL, BrowserTest
from support.chromium import PHONE
from support.farol import HOME
from support.page_files import page_files

# Path: scripts, their packed kB, packed kB of style sheets.
BUDGETS = {
    "/": (6, 53, 20),
    "/about": (5, 31, 14),
    "/sign-in": (7, 38, 16),
    "/devices/{device}": (11, 75, 23),
    "/statistics": (8, 56, 19),
    "/choices": (11, 69, 20),
    "/routes": (18, 114, 21),
    "/embed": (10, 65, 21),
    "/admin": (12, 78, 21),
    "/moderation": (14, 86, 21),
    "/watches": (9, 54, 17),
    "/visits": (13, 82, 23),
    "/diary": (11, 72, 19),
}
LATER = 34  # packed kB of scripts that the map needs besides those that its page names


class PageBudgetTests(BrowserTest):
    def test_every_page_stays_within_its_budget(self):
        device = self.farol().items(limit=1)["features"][0]["id"]
        for path, (files, scripts, sheets) in BUDGETS.items():
            with self.subTest(path):
                found = page_files(self.farol().address, path.format(device=device))
                self.assertGreater(found["js"][1], 1_000)
                self.assertLessEqual(found["js"][0], files)
                self.assertLessEqual(found["js"][1], scripts * 1_000)
                self.assertLessEqual(found["css"][1], sheets * 1_000)

    def test_the_map_page_names_no_module_that_draws_the_map(self):
        page = self.open(FUNCHAL, size=PHONE)
        named = page.evaluate(
            "() => [...document.querySelectorAll('script[src], link[rel=modulepreload]:not([fetchpriority])')]"
            ".map((one) => one.src || one.href)")
        seen = page.evaluate(
            "() => performance.getEntriesByType('resource')"
            ".filter(({ name }) => /\\/assets\\/.*\\.js$/.test(name) && !/maplibre|first-visit/.test(name))"
            ".map(({ name, encodedBodySize }) => [name, encodedBodySize])")
        later = {name: size for name, size in seen if name not in named}
        drawing = [name for name in later if "drawing" in name or "continue" in name]
        self.assertEqual(len(drawing), 2, later)
        self.assertLessEqual(sum(later.values()), LATER * 1_000, later)

    def test_the_budgets_are_those_of_the_documentation(self):
        text = (HOME / "docs/reference/performance.md").read_text()
        self.assertIn(f"at most {BUDGETS['/'][1]} kB of packed scripts on the map page", " ".join(text.split()))
