"""axe-core, the accessibility checker, run inside a page."""

from importlib.resources import files

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

RUN = """async (tags) => {
  const found = await axe.run(document, {
    runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'], elementRef: false,
  });
  return found.violations.map((one) => ({
    id: one.id, help: one.help,
    nodes: one.nodes.map((node) => {
      const messages = node.any.concat(node.all).map((check) => check.message).join('; ');
      return `${node.target.join(' ')}: ${messages}`;
    }),
  }));
}"""


def source():
    """The text of axe.min.js from the package."""
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


def violations(page):
    """Violations of WCAG 2.2 A or AA, one line for each element."""
    if not page.evaluate("() => 'axe' in globalThis"):
        page.evaluate(source())
    return [f"{one['id']} ({one['help']}) {node}" for one in page.evaluate(RUN, TAGS) for node in one["nodes"]]
