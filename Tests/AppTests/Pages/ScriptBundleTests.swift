@testable import Service
import Testing

@Suite struct ScriptBundleTests {
  @Test func `imports become constants, and exports a function's return value`() throws {
    let module = try ScriptModule(
      path: "js/a/one.js",
      source: """
        // @ts-check
        import { two, three as third } from '../two.js';
        import {
          four,
        } from './four.js';
        import './five.js';
        export async function one() {}
        export const other_1 = 2, more = 3;
        class Hidden {}
        """)
    #expect(module.imports == ["js/two.js", "js/a/four.js", "js/a/five.js"])
    #expect(
      module.member == """
        'js/a/one.js': (function () {
        const { two, three: third } = $use('js/two.js');
        const {four,} = $use('js/a/four.js');
        $use('js/a/five.js');
        async function one() {}
        const other_1 = 2, more = 3;
        class Hidden {}
        return { one, other_1 };
        }),

        """)
  }

  @Test func `dynamic imports and relative URLs are resolved to paths`()
    throws
  {
    let module = try ScriptModule(
      path: "js/a/one.js",
      source: """
        /** @typedef {import('./types.js').Type} Type */
        const load = () => [import('./later.js'), import('../more.js')];
        const place = new URL('../x.svg', import.meta.url);
        """)
    #expect(module.later == ["js/a/later.js", "js/more.js"])
    #expect(!module.member.contains("Type"))
    #expect(module.member.contains("[$later('js/a/later.js'), $later('js/more.js')]"))
    #expect(module.member.contains("new URL('../x.svg', $at('js/a/one.js'))"))
  }

  @Test func `comments, empty lines and the space before code are left out`() throws {
    let module = try ScriptModule(
      path: "js/one.js",
      source: """
        /** @param {string} a */
          const one = (a) => /** @type {any} */ (a); // kept

          /*
           * Two lines, with `one back quote.
           */
        /** @type {any} */ (one).two = /* kept */ 2;
        /* a */ one(); /* b */
        """)
    #expect(
      module.member == """
        'js/one.js': (function () {
        const one = (a) => /** @type {any} */ (a); // kept
        /** @type {any} */ (one).two = /* kept */ 2;
        /* a */ one(); /* b */
        return {  };
        }),

        """)
  }

  @Test func `lines of a template are kept as they are`() throws {
    let text = "const a = `\n// one\n\n  /* two */\n  three`;"
    let module = try ScriptModule(path: "js/one.js", source: text + "\n// left out")
    #expect(module.member.contains(text + "\nreturn"))
  }

  @Test(arguments: [
    "import one from './one.js';", "import * as one from './one.js';", "import { one } from 'one';",
    "import { one } from '../../../one.js';", "import { one } from './one.js'",
    "export default 1;", "export let one = 1;", "export { one };", "export const { one } = two;",
    "const a = import('nowhere');",
  ]) func `an unsupported import or export is refused with its path and line`(_ line: String) {
    let error = #expect(throws: UnreadableScript.self) {
      try ScriptModule(path: "js/one.js", source: "let a;\n\(line)\n")
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("public/js/one.js"))
  }

  @Test func `the base has the shared modules, and a page adds and starts the others`()
    throws
  {
    let files = try Self.bundles().files
    let base = try #require(files["together/base.js"])
    #expect(base.hasPrefix("import { $use, $add, $later, $at } from './ahead.js';\n"))
    #expect(base.contains("'js/main.js': (") && base.contains("'js/shared.js': ("))
    #expect(!base.contains("'js/own.js': (") && !base.contains("'js/later.js': ("))
    let page = try #require(files["together/people-page.js"])
    #expect(page.hasPrefix("import { $use, $add, $later, $at } from './base.js';\n"))
    #expect(page.contains("'js/own.js': (") && page.contains("'js/people/page.js': ("))
    #expect(!page.contains("'js/shared.js': ("))
    #expect(page.hasSuffix("$use('js/people/page.js');\n"))
  }

  @Test func `the first request and its imports precede the base, on the page that sends it only`()
    throws
  {
    let files = try Self.bundles().files
    let ahead = try #require(files["together/ahead.js"])
    #expect(ahead.contains("'js/first.js': (") && ahead.contains("'js/early.js': ("))
    #expect(!ahead.contains("'js/main.js': (") && !ahead.contains("'js/shared.js': ("))
    let onlyThere = "if (document.documentElement.dataset.wordsOf === 'main') "
    #expect(ahead.hasSuffix("});\n\(onlyThere)$use('js/first.js');\n"))
    let base = try #require(files["together/base.js"])
    #expect(!base.contains("'js/first.js': (") && !base.contains("'js/early.js': ("))
    #expect(base.hasSuffix("});\n\(onlyThere)$use('js/main.js');\n"))
    #expect(files["together/main.js"] == nil)
  }

  @Test func `dynamically imported modules are in a separate bundle`() throws {
    let later = try #require(try Self.bundles().files["together/later.js"])
    for path in ["js/later.js", "js/deep.js", "js/deeper.js"] {
      #expect(later.contains("'\(path)': ("))
    }
    #expect(!later.contains("'js/shared.js': (") && !later.contains("'js/main.js': ("))
  }

  @Test func `an import of a missing module is refused`() {
    #expect(throws: UnreadableScript.self) {
      try ScriptBundles(
        ["js/main.js": "import { a } from './none.js';"], shared: "js/main.js",
        first: "js/first.js", entries: [])
    }
  }

  private static func bundles() throws -> ScriptBundles {
    try ScriptBundles(
      [
        "js/main.js": """
        import { f } from './first.js';
        import { a } from './shared.js';
        const b = () => import('./later.js');
        """,
        "js/first.js": "import { e } from './early.js';\nexport const f = e;",
        "js/early.js": "export const e = 1;",
        "js/shared.js": "export const a = 1;",
        "js/people/page.js": "import { a } from '../shared.js';\nimport { o } from '../own.js';",
        "js/own.js": "export const o = () => import('./deep.js');",
        "js/later.js": "import { a } from './shared.js';\nconst c = () => import('./deep.js');",
        "js/deep.js": "import { d } from './deeper.js';", "js/deeper.js": "export const d = 1;",
      ], shared: "js/main.js", first: "js/first.js", entries: ["js/main.js", "js/people/page.js"])
  }
}
