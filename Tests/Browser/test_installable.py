"""Farol can be installed on the home screen: manifest, icons, service worker."""

import io
import json
import struct

from support.case import FUNCHAL, BrowserTest
from support.chromium import WHOLE


def png_size(data):
    """Width and height from the first chunk of a PNG file."""
    kind, width, height = struct.unpack(">4sII", io.BytesIO(data[12:24]).read())
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and kind == b"IHDR"
    return width, height


class InstallTests(BrowserTest):
    def test_the_manifest_is_complete_and_its_icons_match_it(self):
        manifest = json.loads(self.farol().get("/manifest.webmanifest", raw=True))
        for member in ("name", "short_name", "start_url", "scope", "display", "icons",
                       "theme_color", "background_color"):
            self.assertIn(member, manifest)
        self.assertEqual(manifest["display"], "standalone")
        sizes, purposes = set(), set()
        for icon in manifest["icons"]:
            data = self.farol().get(icon["src"], raw=True)
            self.assertEqual("{}x{}".format(*png_size(data)), icon["sizes"])
            sizes.add(icon["sizes"])
            purposes |= set(icon.get("purpose", "any").split())
        self.assertLessEqual({"192x192", "512x512"}, sizes)
        self.assertLessEqual({"any", "maskable"}, purposes)

    def test_the_browser_finds_no_obstacle_to_installing(self):
        page = self.open(FUNCHAL, service_workers="allow", program=WHOLE)
        page.evaluate("async () => { await navigator.serviceWorker.ready; }")
        devtools = page.context.new_cdp_session(page)
        read = devtools.send("Page.getAppManifest")
        self.assertEqual(read["errors"], [])
        self.assertTrue(read["url"].endswith("/manifest.webmanifest"))
        self.assertEqual(self.hindrances(devtools), set())
        self.assertEqual(
            page.evaluate("async () => (await navigator.serviceWorker.getRegistration()).scope"),
            self.farol().address + "/")

        page.evaluate("() => document.querySelector('link[rel=manifest]').remove()")
        self.until(lambda: self.hindrances(devtools) == {"no-manifest"}, "the browser to miss the manifest")

    def hindrances(self, devtools):
        """Obstacles to installing that the browser reports. Test windows are private, which always prevents installing.
        """
        found = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
        return {one["errorId"] for one in found} - {"in-incognito"}
