#!/usr/bin/env python3
"""Builds the files that browsers get, from `public` into a folder: `setup/front.py [--maps] [FOLDER]` (data/front).

esbuild bundles the modules and style sheets. Each file gets a name that contains a hash of its content, and each page
names exactly the files that it uses. `public` itself can be served as well, unbuilt (docs/decisions/0041).
"""

import argparse
import collections
import fcntl
import hashlib
import html
import json
import posixpath
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
import script_groups  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
PUBLIC = ROOT / "public"
SCHEME = "1"  # changes when this program changes what it writes, besides its own text
MAP, DRAWING = "js/main.js", "js/map/drawing.js"
AHEAD = "js/ahead.js"
FILES = "js/files.js"
# The oldest supported browsers (docs/reference/browsers.md). Classic scripts notify readers with older ones.
TARGET = "--target=chrome111,edge111,firefox121,safari16.4"
CLASSIC = ("js/early.js", "js/first-visit.js")
WORKERS = ("js/diary/worker.js", "js/routes-page/worker.js")
# How often pages are opened as a first page, compared with others, and how often a module is imported later.
PAGE_WEIGHT, LATE_WEIGHT = 5, 0.3
WEIGHTS = {MAP: 60, DRAWING: 20, "js/device-page/page.js": 30, "js/about.js": 15, "js/statistics/page.js": 15,
           "js/learn/page.js": 15}
# Pages that the service worker stores before they are visited (FIRST_PAGES), and modules that it does not store.
FIRST_PAGES = ("index.html", "about.html", "statistics.html", "choices.html", "learn.html")
NOT_STORED = ("js/mapping/wizard.js",)

ASSET = re.compile(r"\{\{assets\}\}/([^\"' )}]+)")
SCRIPT = re.compile(r"\{\{script ([^}]+)\}\}")
SHEET = re.compile(r'<link rel="stylesheet" href="\{\{assets\}\}/([^"]+)">\n')
RUN = re.compile(f"(?:{SHEET.pattern.replace('(', '(?:')})+")
FONT = re.compile(r"url\(\"?\.\./(vendor/fonts/[\w.-]+)\"?\)")
LATE = re.compile(r"\bimport\('(\.[^']+)'\)")
SOON = re.compile(r"\bsoon\(import\('(\.[^']+)'\)")
PRELOAD = re.compile(r"\{\{preload ([^}]+)\}\}")
IMPORT = re.compile(r"^import (?:\{([^}]*)\} from )?'(\.[^']+)';", re.MULTILINE)
BUNDLED = re.compile(r'\bimport(?:\{([^}]*)\}from)?"(/assets/[^"]+)";')
NAMED = re.compile(r"['`\"]((?:css|vendor|icons|js|terms)/[\w./-]+)['`\"]")
NAME = re.compile(r"(?<=['\"`])[A-Za-z0-9._-]+(?=['\"`$])")
COMMENT = re.compile(r"/\*.*?\*/|^\s*//[^\n]*$", re.DOTALL | re.MULTILINE)


def digest(*parts):
    whole = hashlib.sha256()
    for part in parts:
        whole.update(len(part).to_bytes(8, "big") + part)
    return whole.hexdigest()


class Front:
    def __init__(self, folder, has_maps):
        self.folder, self.has_maps = folder, has_maps
        self.assets = folder / "assets"
        self.addresses = {}  # path below `public` → address
        self.stage = None
        self.sheets = {}  # paths of style sheets → the address of their bundle
        self.done = set()  # the modules that are in a group
        self.group_of = {}  # such a module → the address of the file of its group
        self.exported = {}  # such a module → its exports → their names in that file
        self.facades = {}  # the entry of a later module that is in a group → the module
        self.needs = {}  # the address of a script → the addresses of its imports
        self.sources = {
            str(path.relative_to(PUBLIC)): path.read_text("utf-8")
            for path in sorted((PUBLIC / "js").rglob("*.js"))
        }
        self.pages = {path.name: path.read_text("utf-8") for path in sorted(PUBLIC.glob("*.html"))}
        # The style sheets that all pages share are a file of their own, unless a page says that it has one file.
        head = parts()["parts/head.html"].rstrip("\n")
        self.pages |= {name: page.replace("{{head}}", head) for name, page in self.pages.items() if " data-one-sheet" in page}
        self.entries = sorted({name for page in self.pages.values() for name in SCRIPT.findall(page)})

    def build(self):
        self.assets.mkdir(parents=True)
        (PUBLIC / "vendor" / "icons.css").write_text(icon_sheet(), "utf-8")
        named = {name for source in self.sources.values() for name in NAMED.findall(source)}
        named |= {f"{folder}/{path.name}" for folder in ("locale", "terms") for path in (PUBLIC / folder).iterdir()}
        named = {name for name in named - self.sources.keys() if (PUBLIC / name).is_file()} | {CLASSIC[1]}
        with tempfile.TemporaryDirectory() as stage:
            self.stage = Path(stage)
            self._scripts()
            self._sheets(sorted(name for name in named if name.endswith(".css")))
        catalogues = {path.stem: json.loads(path.read_text("utf-8")) for path in (PUBLIC / "locale").glob("*.json")}
        for name in named:
            self.address(name)
        # Pictures of the help, which the server names in its page.
        for path in sorted((PUBLIC / "help").rglob("*.*")):
            self.address(str(path.relative_to(PUBLIC)))
        common = sorted(named | self.late | set(WORKERS))
        words = self._words(catalogues)
        linked = {name: self._linked(page) for name, page in {**self.pages, **parts()}.items()}
        release = digest(*(text.encode() for _, text in sorted(linked.items())),
                         *(f"{name} {self.addresses[name]}".encode() for name in sorted(self.addresses)))[:16]
        for name, text in linked.items():
            part = re.search(r' data-words-of="([^"]+)"', text)
            own = [name for name in words if part and name.startswith(f"words/{part[1]}.")]
            files = json.dumps({name: self.addresses[name] for name in common + own}, separators=(",", ":"))
            text = text.replace("{{release}}", release).replace("{{files}}", "" if name in parts() else "{{files}}")
            (self.folder / name).parent.mkdir(exist_ok=True)
            (self.folder / name).write_text(self._with_parts(text, linked, files, release), "utf-8")
        for name in ("locale", "terms"):
            shutil.copytree(PUBLIC / name, self.folder / name)
        for licence in (PUBLIC / "vendor").rglob("*LICEN*"):
            kept = self.folder / licence.relative_to(PUBLIC)
            kept.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(licence, kept)
        (self.folder / "icons").mkdir()
        shutil.copy(PUBLIC / "icons/farol.svg", self.folder / "icons/farol.svg")
        manifest = (PUBLIC / "manifest.webmanifest").read_text("utf-8")
        (self.folder / "manifest.webmanifest").write_text(ASSET.sub(lambda found: self.address(found[1]), manifest))
        self._service_worker(release, linked, words)
        (self.folder / "release.json").write_text(json.dumps(
            {"release": release, "files": dict(sorted(self.addresses.items()))}, indent=1) + "\n", "utf-8")

    # Names

    def keep(self, content, name, suffix):
        """Writes a file under a name with its hash. Returns its address."""
        file = f"{name}-{digest(content)[:10]}{suffix}"
        (self.assets / file).write_bytes(content)
        return f"/assets/{file}"

    def address(self, path):
        if path not in self.addresses:
            if path in CLASSIC:
                content = self.esbuild([path], "--minify", "--target=es5").stdout
            else:
                content = (PUBLIC / path).read_bytes()
            name = Path(path)
            self.addresses[path] = self.keep(content, name.stem.removesuffix(".min"), name.suffix)
        return self.addresses[path]

    def esbuild(self, arguments, *options, folder=PUBLIC):
        ran = subprocess.run(["esbuild", "--log-level=warning", "--charset=utf8", *arguments, *options],
                             cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if ran.returncode or ran.stderr:
            sys.exit(f"esbuild reports:\n{ran.stderr.decode()}")
        return ran

    # Scripts

    def _scripts(self):
        shutil.copytree(PUBLIC / "js", self.stage / "js")
        self._read_graph()
        self._worker_bundles()
        for path, source in self.sources.items():
            (self.stage / path).write_text(self._with_late_addresses(path, source), "utf-8")
        for name, modules in self._groups():
            self._group(name, sorted(modules))
        self.addresses[AHEAD] = self.group_of[AHEAD]
        entries = self.entries + sorted(self.late - self.done) + [
            self._facade(path) for path in sorted(self.late & self.done)]
        seen = set(self.done)
        for output, facts in self._bundle(entries)["outputs"].items():
            if "entryPoint" in facts:
                address = self._note(output, facts)
                self.addresses[self.facades.get(facts["entryPoint"], facts["entryPoint"])] = address
                twice = seen & facts["inputs"].keys()
                if twice:
                    sys.exit(f"{output} repeats {sorted(twice)}: an import has an unusual form.")
                seen |= facts["inputs"].keys()

    def _groups(self):
        users = self.entries + sorted(self.late)
        weights = [WEIGHTS.get(user, PAGE_WEIGHT if user in self.entries else LATE_WEIGHT) for user in users]
        return script_groups.grouped([self.closure([user]) for user in users], weights, self.sizes, self.imports,
                                     self.closure([AHEAD]))

    def _facade(self, path):
        """A module that is imported both at once and later: an entry that passes on the exports of its group."""
        pairs = ", ".join(f"{short} as {export}" for export, short in self.exported[path].items())
        name = f"late-{path.replace('/', '-')}"
        (self.stage / name).write_text(f"export {{ {pairs} }} from '{self.group_of[path]}';\n")
        self.facades[name] = path
        return name

    def _read_graph(self):
        """The imports and exports of every module, and which modules are imported later."""
        self.esbuild([*self.entries, AHEAD], "--bundle", "--splitting", "--format=esm", "--outdir=out",
                     "--metafile=graph.json", folder=self.stage)
        graph = json.loads((self.stage / "graph.json").read_text())["inputs"]
        self.sizes = {path: facts["bytes"] for path, facts in graph.items()}
        self.imports = {path: [one["path"] for one in facts["imports"] if one["kind"] == "import-statement"]
                        for path, facts in graph.items()}
        self.late = {one["path"] for facts in graph.values() for one in facts["imports"]
                     if one["kind"] == "dynamic-import"}
        self.esbuild(sorted(graph), "--format=esm", "--outdir=out", "--metafile=exports.json", folder=self.stage)
        outputs = json.loads((self.stage / "exports.json").read_text())["outputs"].values()
        wanted = collections.defaultdict(set)
        for path, source in self.sources.items():
            for names, target in IMPORT.findall(source):
                wanted[resolved(path, target)] |= {one.split(" as ")[0].strip() for one in names.split(",")}
        # esbuild leaves out exports that no module imports.
        self.exports = {facts["entryPoint"]: [name for name in facts["exports"] if facts["entryPoint"] in self.late
                                              or name in wanted[facts["entryPoint"]]] for facts in outputs}

    def closure(self, first):
        found, todo = set(), list(first)
        while todo:
            path = todo.pop()
            if path not in found:
                found.add(path)
                todo += self.imports.get(path, [])
        return found

    def _with_late_addresses(self, path, source):
        """The module with an address from the page in each later import, because the name of that file depends on this one."""
        def address(found):
            return f"import(fileAddress('{resolved(path, found[1])}'))"
        code = COMMENT.sub("", source) if LATE.search(source) else source
        if not LATE.search(code):
            return source
        to_files = "../" * (path.count("/") - 1) or "./"
        has_address = re.search(r"^import \{[^}]*\bfileAddress\b", code, re.MULTILINE)
        head = "" if has_address else f"import {{ fileAddress }} from '{to_files}files.js';\n"
        return head + LATE.sub(address, code)

    def _bundle(self, entries, *options):
        maps = ["--sourcemap=linked"] if self.has_maps else []
        self.esbuild(entries, "--bundle", "--format=esm", "--minify", "--external:/assets/*", TARGET, f"--outdir={self.assets}",
                     "--entry-names=[name]-[hash]", "--chunk-names=shared-[hash]", "--metafile=meta.json",
                     *options, *maps, folder=self.stage)
        meta = json.loads((self.stage / "meta.json").read_text())
        for output, facts in meta["outputs"].items():
            late = [one["path"] for one in facts["imports"] if one["kind"] == "dynamic-import"]
            if late:
                sys.exit(f"{output} imports {late} without an address of this release.")
            if output.endswith(".js") and not self.has_maps:  # a source map knows the positions before
                file = self.stage / output
                file.write_text(with_joint_imports(file.read_text("utf-8")), "utf-8")
        return meta

    def _group(self, name, modules):
        """One file with these modules. Other modules in the stage then import from that file."""
        lines, count = [], 0
        for path in modules:
            self.exported[path] = {export: f"e{count + place}" for place, export in enumerate(self.exports[path])}
            count += len(self.exported[path])
            pairs = ", ".join(f"{export} as {short}" for export, short in self.exported[path].items())
            lines.append(f"export {{ {pairs} }} from './{path}';" if pairs else f"import './{path}';")
        (self.stage / f"{name}.js").write_text("\n".join(lines))
        (output, facts), = ((output, facts) for output, facts in self._bundle([f"{name}.js"])["outputs"].items()
                            if "entryPoint" in facts)
        address = self._note(output, facts)
        self.done |= set(modules)
        self.group_of |= dict.fromkeys(modules, address)
        for path in self.sources.keys() - self.done:
            (self.stage / path).write_text(self._importing(path, modules, address), "utf-8")

    def _note(self, output, facts):
        """The address of a script, whose imports are noted."""
        address = f"/assets/{Path(output).name}"
        self.needs[address] = [one["path"] for one in facts["imports"]]
        return address

    def _importing(self, path, modules, address):
        """A module in the stage that imports these modules from the file of a group."""
        def replaced(found):
            target = resolved(path, found[2])
            if target not in modules:
                return found[0]
            if not found[1]:
                return f"import '{address}';"
            pairs = [[*one.split(" as "), one][:2] for one in map(str.strip, found[1].split(",")) if one]
            return f"import {{ {', '.join(f'{self.exported[target][name]} as {own}' for name, own in pairs)} }} from '{address}';"
        return IMPORT.sub(replaced, (self.stage / path).read_text("utf-8"))

    def _with_imports(self, path):
        """The addresses of all that a script imports, and its own last."""
        found, todo = [], [self.addresses[path]]
        while todo:
            address = todo.pop()
            if address not in found:
                found.append(address)
                todo += self.needs[address]
        return found[::-1]

    def _worker_bundles(self):
        """Workers share no modules with pages: each is one file."""
        meta = self._bundle(list(WORKERS))
        for output, facts in meta["outputs"].items():
            if "entryPoint" in facts:
                self.addresses[facts["entryPoint"]] = f"/assets/{Path(output).name}"

    # Words

    def _words(self, catalogues):
        """The sentences of each page that starts with its own (`data-words-of`)."""
        made = []
        fixed = "".join(parts().values())
        for page in self.pages.values():
            part = re.search(r' data-words-of="([^"]+)"', page)
            if not part:
                continue
            sources = [page, fixed, *(self.sources[path] for path in self._first_modules(SCRIPT.findall(page)))]
            names = {name for source in sources for name in NAME.findall(source)}
            for language, catalogue in catalogues.items():
                words = {key: text for key, text in catalogue.items() if is_used(key, names)}
                path = f"words/{part[1]}.{language}.json"
                content = json.dumps(words, ensure_ascii=False, separators=(",", ":")).encode()
                self.addresses[path] = self.keep(content, f"{part[1]}.{language}", ".json")
                made.append(path)
        return sorted(set(made))

    def _first_modules(self, entries):
        """The modules of the first view: those of the entries, and those that they import with `soon`."""
        found = self.closure(entries)
        soon = {resolved(path, name) for path in found for name in SOON.findall(self.sources[path])}
        return found if soon <= found else self._first_modules([*entries, *soon])

    # Pages and style sheets

    def _sheets(self, alone):
        """Bundles each run of style sheets in consecutive lines of a page, and those that pages load alone."""
        runs = {(path,): Path(path).stem for path in alone}
        for name, page in {**self.pages, **parts()}.items():
            for run in RUN.findall(page):
                runs.setdefault(tuple(SHEET.findall(run)), Path(name).stem)
        for folder in ("css", "vendor"):
            (self.stage / folder).symlink_to(PUBLIC / folder)
        entries = {f"sheet-{number}.css": run for number, run in enumerate(runs)}
        for entry, run in entries.items():
            (self.stage / entry).write_text("".join(f'@import "./{path}";\n' for path in run))
        self.esbuild(list(entries), "--bundle", "--minify", TARGET, "--outdir=sheets", "--external:*.woff2", folder=self.stage)
        for entry, run in entries.items():
            content = (self.stage / "sheets" / entry).read_text("utf-8")
            content = FONT.sub(lambda found: f"url({self.address(found[1])})", content)
            self.sheets[run] = self.keep(content.encode(), runs[run], ".css")
        self.addresses |= {path: self.sheets[path,] for path in alone}

    def _linked(self, page):
        """The page with the names of its files. Consecutive style sheets become one."""
        page = RUN.sub(lambda found: f'<link rel="stylesheet" href="{self.sheets[tuple(SHEET.findall(found[0]))]}">\n', page)
        named = {address for path in SCRIPT.findall(page) for address in self._with_imports(path)}
        page = SCRIPT.sub(self._script_elements, page)
        page = PRELOAD.sub(lambda found: "".join(
            f'<link rel="modulepreload" href="{one}" fetchpriority="low">'
            for one in self._with_imports(found[1]) if one not in named), page)
        return ASSET.sub(lambda found: self.address(found[1]), page)

    def _script_elements(self, found):
        *before, own = self._with_imports(found[1])
        lines = [f'<link rel="modulepreload" href="{one}">' for one in before]
        return "\n".join([*lines, f'<script type="module" src="{own}"></script>'])

    def _with_parts(self, text, linked, files, release):
        for name, part in linked.items():
            if name.startswith("parts/"):
                text = text.replace("{{" + Path(name).stem + "}}", part.rstrip("\n"))
        return text.replace("{{files}}", html.escape(files)).replace("{{release}}", release)

    def _service_worker(self, release, linked, words):
        """The worker with the files that it stores at once: those of the first pages, and of later modules."""
        first = "".join(linked[page] for page in FIRST_PAGES) + linked["parts/head.html"]
        stored = set(re.findall(r'"(/assets/[^"]+)"', first))
        stored |= {one for path in self.late - set(NOT_STORED) for one in self._with_imports(path)}
        stored |= {self.addresses[name] for name in self.addresses
                   if name.startswith(("locale/", "vendor/term", "vendor/fonts", "vendor/maplibre-gl-5.24"))
                   or name in words and any(f"words/{part}." in name for part in self._first_parts())
                   or name in WORKERS or name == CLASSIC[1] or name.endswith(".css")}
        kept = sorted(one for one in stored if not one.endswith(".png"))
        source = (PUBLIC / "service-worker.js").read_text("utf-8")
        source = source.replace("{{release}}", release).replace("{{precache}}", json.dumps(kept, separators=(",", ":")))
        with tempfile.NamedTemporaryFile("w", suffix=".js", encoding="utf-8") as file:
            file.write(source)
            file.flush()
            (self.folder / "service-worker.js").write_bytes(self.esbuild([file.name], "--minify", TARGET).stdout)

    def _first_parts(self):
        return re.findall(r' data-words-of="([^"]+)"', "".join(self.pages[page] for page in FIRST_PAGES))


def resolved(path, name):
    """The path of a module that another one imports by a relative name."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), name))


def with_joint_imports(script):
    """A bundle with one import of each file at its start, in place of one for each module and file."""
    names = collections.defaultdict(list)
    for found in BUNDLED.finditer(script):
        names[found[2]] += found[1].split(",") if found[1] else []
    joint = [f'import{{{",".join(pairs)}}}from"{file}";' if pairs else f'import"{file}";' for file, pairs in names.items()]
    return "".join(joint) + BUNDLED.sub("", script)


def parts():
    return {f"parts/{path.name}": path.read_text("utf-8") for path in sorted((PUBLIC / "parts").glob("*.html"))}


FORMS = {"zero", "one", "two", "few", "many", "other"}


def is_used(key, names):
    """Whether scripts with these names can use a key: they contain it, its beginning with the dot, or the key without
    its last word, such as a plural form."""
    if key in names:
        return True
    begin = key
    while "." in begin:
        begin = begin.rpartition(".")[0]
        if begin + "." in names:
            return True
    parent, dot, last = key.rpartition(".")
    return bool(dot) and (last in FORMS or "." in parent) and parent in names


def icon_sheet():
    """Sets `--icon` for elements that name a symbol: `data-icon="interface/map"`."""
    from urllib.parse import quote
    lines = []
    for path in sorted((PUBLIC / "icons").rglob("*.svg")):
        name = path.relative_to(PUBLIC / "icons").with_suffix("")
        drawing = quote(path.read_text("utf-8").replace("\n", " "), safe="")
        lines.append(f'[data-icon="{name}"]{{--icon:url("data:image/svg+xml,{drawing}")}}\n')
    return "".join(lines)


def inputs(options):
    own = [path for path in sorted(PUBLIC.rglob("*")) if path.is_file() and path != PUBLIC / "vendor/icons.css"]
    return digest(SCHEME.encode(), Path(__file__).read_bytes(), Path(script_groups.__file__).read_bytes(), str(options.maps).encode(),
                  *(part for path in own for part in (str(path.relative_to(PUBLIC)).encode(), path.read_bytes())))


def main():
    global PUBLIC
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "data" / "front", metavar="FOLDER")
    parser.add_argument("--maps", action="store_true", help="adds source maps")
    parser.add_argument("--sources", type=Path, default=PUBLIC, metavar="FOLDER", help="instead of public")
    options = parser.parse_args()
    PUBLIC = options.sources.resolve()
    options.folder.parent.mkdir(parents=True, exist_ok=True)
    lock = options.folder.with_name(f".{options.folder.name}.lock").open("w")
    fcntl.flock(lock, fcntl.LOCK_EX)  # until this program ends
    stamp = options.folder / ".inputs"
    now = inputs(options)
    if stamp.is_file() and stamp.read_text() == now:
        return
    new = options.folder.with_name(f".{options.folder.name}-new")
    shutil.rmtree(new, ignore_errors=True)
    Front(new, options.maps).build()
    (new / ".inputs").write_text(now)
    shutil.rmtree(options.folder, ignore_errors=True)
    new.rename(options.folder)


if __name__ == "__main__":
    main()
