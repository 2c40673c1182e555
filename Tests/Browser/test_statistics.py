"""The statistics page: figures, charts, tables, comparisons, and the address that restores them."""

import csv
import io
import re
from urllib.parse import parse_qs, urlencode, urlsplit

from playwright.sync_api import expect

from support.acts import unfold
from support.axe import violations
from support.case import FUNCHAL, BrowserTest, PhoneTest
from support.chromium import DESKTOP, NARROW, PHONE
from support.keeping import WritingTest

MADEIRA = "bbox=-17.3,32.4,-16.2,33.2"

# The texts that a chart draws in its SVG.
DRAWN = """(chart) => [...chart.querySelectorAll('svg text')].map((text) => text.textContent)"""


def number(text):
    return int(re.sub(r"\D", "", text))


class StatisticsTest(BrowserTest):
    def statistics(self, query="", **more):
        return self.farol().get("/api/statistics?" + "&".join(filter(None, [query, urlencode(more)])))

    def shown(self, page, name="category"):
        """The figure, after its chart is drawn or a sentence says why there is none."""
        figure = page.locator(f"#{name}" if name in ("cross", "time", "compare") else f"#by-{name}")
        figure.scroll_into_view_if_needed()
        expect(figure.locator(".chart.is-drawn svg, .figure-empty").first).to_be_visible()
        expect(figure.locator("[aria-busy]")).to_have_count(0)
        return figure

    def table(self, figure):
        """The rows of a figure's table, after opening it."""
        if figure.locator(".figure-details").first.get_attribute("open") is None:
            figure.get_by_text("View as a table").click()
        return [row.locator("th, td").all_inner_texts() for row in figure.locator("tbody tr").all()]

    def field(self, page, name):
        """The field with exactly this label."""
        return page.get_by_role("combobox", name=name, exact=True)

    def total(self, page):
        return number(page.locator(".whole-number").inner_text())

    def waits_for_total(self, page, total):
        expect(page.locator(".whole-number")).to_have_text(f"{total:,}")


class FigureTests(StatisticsTest):
    def test_the_total_and_its_three_shares_match_the_api(self):
        page = self.open(f"/statistics?{MADEIRA}", wait=False)
        told = self.statistics(MADEIRA)
        self.assertGreater(told["headline"]["operator_known"]["count"], 0)
        self.waits_for_total(page, told["total"])
        for name, share in told["headline"].items():
            card = page.locator(f".share-{name}")
            expect(card.locator(".section-note")).to_have_text(f"{share['count']} of {told['total']} devices")
            expect(card.locator(".share-number")).to_have_text(re.compile(rf"^[<>]?{share['share'] * 100:.0f}"))
        expect(page.locator(".whole-density")).to_contain_text("100 square kilometres")
        expect(page.locator(".whole-part .figure-date")).to_contain_text("Counted on")

    def test_chart_table_and_csv_contain_the_same_figures(self):
        page = self.open(f"/statistics?{MADEIRA}", wait=False)
        figure = self.shown(page)
        rows = self.table(figure)
        told = self.statistics(MADEIRA, group_by="category")
        self.assertEqual([number(row[1]) for row in rows], [group["count"] for group in told["groups"]])
        self.assertEqual(sum(number(row[1]) for row in rows), told["total"])
        drawn = figure.locator(".chart").evaluate(DRAWN)
        for name, count, share in rows[:5]:
            self.assertIn(f"{count}  {share}", drawn, name)
        with page.expect_download() as download:
            figure.get_by_role("link", name="Table (CSV)").click()
        with open(download.value.path(), encoding="utf-8", newline="") as file:
            found = list(csv.DictReader(io.StringIO(file.read())))
        self.assertEqual([int(row["count"]) for row in found], [group["count"] for group in told["groups"]])

    def test_a_bar_and_its_row_filter_the_question(self):
        page = self.open(f"/statistics?{MADEIRA}", wait=False)
        figure = self.shown(page)
        self.table(figure)
        webcams = self.statistics(f"{MADEIRA}&category=webcam")["total"]
        figure.get_by_role("link", name="Webcam").click()
        self.waits_for_total(page, webcams)
        self.assertEqual(self.query(page)["category"], "webcam")
        page.go_back()
        self.waits_for_total(page, self.statistics(MADEIRA)["total"])
        figure = self.shown(page)
        bars = figure.locator(".chart svg path[fill='#0f4c81']").all()
        bar = min(bars, key=lambda one: one.bounding_box()["y"])
        first = self.statistics(MADEIRA, group_by="category")["groups"][0]
        bar.click()
        self.waits_for_total(page, first["count"])
        self.assertEqual(self.query(page)["category"], first["category"])

    def test_one_group_is_a_sentence_and_not_a_lone_bar(self):
        page = self.open(f"/statistics?{MADEIRA}&category=webcam", wait=False)
        figure = page.locator("#by-category")
        figure.scroll_into_view_if_needed()
        expect(figure.locator(".figure-empty")).to_contain_text("in this group: Webcam")
        expect(figure.locator(".chart")).to_be_hidden()
        expect(figure.get_by_role("link", name="Table (CSV)")).to_be_visible()

    def test_an_empty_comparison_says_what_to_do_first(self):
        page = self.open(f"/statistics?{MADEIRA}", wait=False)
        page.locator("#compare").scroll_into_view_if_needed()
        expect(page.locator("#compare .figure-empty")).to_have_text("Add a place to compare it with everywhere.")

    def test_overlapping_groups_are_marked_and_unknown_values_have_a_name(self):
        page = self.open(f"/statistics?{MADEIRA}", wait=False)
        figure = self.shown(page, "data_collected")
        expect(figure.locator(".figure-note")).to_contain_text("add up to more than all devices")
        rows = self.table(self.shown(page, "operator"))
        self.assertEqual(rows[-1][0], "Not stated")
        expect(page.locator("#by-operator .figure-note")).to_be_hidden()

    def test_every_chart_states_what_it_counts_in_the_language_of_the_reader(self):
        page = self.open(f"/statistics?{MADEIRA}", wait=False, language="pt")
        figure = self.shown(page)
        figure.get_by_text("O que isto conta").click()
        expect(figure.locator(".figure-meaning p")).to_contain_text("Aparelhos no mapa")
        expect(figure.locator(".chart")).to_have_attribute(
            "aria-label", re.compile("A tabela abaixo tem todos os números"))

    def test_charts_can_be_added_and_removed_and_the_address_contains_them(self):
        page = self.open("/statistics", wait=False)
        self.shown(page)
        expect(page.locator(".figure-grid .figure")).to_have_count(4)
        page.get_by_role("button", name="Kind of place").click()
        self.shown(page, "zone")
        page.get_by_role("button", name="Remove the chart Choices it offers").click()
        expect(page.locator("#by-choices")).to_have_count(0)
        self.assertEqual(self.query(page)["charts"], "category,data_collected,operator,zone")
        page.go_back()
        expect(page.locator("#by-choices")).to_have_count(1)
        page.reload()
        expect(page.locator(".figure-grid .figure")).to_have_count(5)

    def test_the_link_of_a_chart_scrolls_to_it(self):
        page = self.open(f"/statistics?{MADEIRA}&charts=category,zone", wait=False)
        href = self.shown(page, "zone").get_by_role("link", name="Link to this chart").get_attribute("href")
        other = self.open(href, wait=False)
        self.shown(other, "zone")
        expect(other.locator("#by-zone h3")).to_be_focused()
        self.waits_for_total(other, self.statistics(MADEIRA)["total"])

    def test_the_reader_selects_two_properties_for_a_cross_tabulation(self):
        page = self.open(f"/statistics?{MADEIRA}", wait=False)
        figure = self.shown(page, "cross")
        self.assertEqual(
            sum(number(cell) for row in self.table(figure) for cell in row[1:]), self.statistics(MADEIRA)["total"])
        self.field(figure, "Parts of each bar").select_option("status")
        self.until(lambda: self.query(page).get("cross") == "category,status", "the address to say so")
        expect(figure.locator("thead th").last).not_to_have_text("Not stated")
        told = self.statistics(MADEIRA, group_by="category,status")
        self.until(lambda: sorted(number(cell) for row in self.table(figure) for cell in row[1:] if number(cell))
                   == sorted(group["count"] for group in told["groups"]), "the cells of the crossing")
        self.field(figure, "Bars").select_option("status")
        self.until(lambda: self.query(page).get("cross") == "status,category", "the two to change places")

    def test_changes_over_time_are_shown_by_day_and_from_a_start_date(self):
        page = self.open(f"/statistics?{MADEIRA}", wait=False)
        figure = self.shown(page, "time")
        figure.locator("label", has_text="Day").click()
        self.until(lambda: self.query(page).get("interval") == "day", "the address to say so")
        self.until(lambda: figure.locator("thead th").first.text_content() == "Day", "the table by day")
        told = self.statistics(MADEIRA, interval="day")
        rows = self.table(figure)
        self.assertEqual([number(cell) for cell in rows[0][1:]],
                         [told["series"][-1][name] for name in ("standing", "added", "confirmed", "removed")])
        figure.get_by_label("From", exact=True).fill("2000-01-01")
        expect(figure.get_by_role("alert")).to_be_visible()
        self.allowed_errors = (r"status of 400",)
        figure.get_by_label("From", exact=True).fill(told["from"])
        expect(figure.locator("tbody tr")).to_have_count(len(told["series"]))


class QuestionTests(StatisticsTest):
    def test_the_map_passes_its_area_and_filters_and_gets_them_back(self):
        page = self.open("/?category=camera_fixed" + FUNCHAL[1:])
        count, box, view = self.count(page), self.asked_box(page), self.view(page)
        unfold(page, page.locator(".statistics-link")).click()
        self.waits_for_total(page, count)
        self.assertEqual(self.query(page), {"bbox": box, "category": "camera_fixed"})
        expect(self.field(page, "Where")).to_have_value("Area seen on the map")
        page.get_by_role("link", name="See on the map").click()
        self.settled(page)
        self.assertEqual(self.count(page), count)
        self.assertEqual(self.query(page)["category"], "camera_fixed")
        for before, after in zip(view, self.view(page)):
            self.assertAlmostEqual(before, after, delta=0.02)

    def test_category_and_place_come_first_and_both_filter(self):
        page = self.open("/statistics", wait=False)
        self.waits_for_total(page, self.statistics()["total"])
        self.field(page, "Where").fill("berl")
        page.get_by_role("option").filter(has_text="Berlin").first.click()
        self.until(lambda: "place" in self.query(page), "the place in the address")
        place = self.query(page)["place"]
        self.waits_for_total(page, self.statistics(place=place)["total"])
        self.field(page, "What it is").select_option("radio_counter")
        self.waits_for_total(page, self.statistics(place=place, category="radio_counter")["total"])
        page.reload()
        expect(self.field(page, "Where")).to_have_value(re.compile("Berlin, Germany$"))
        expect(self.field(page, "What it is")).to_have_value("radio_counter")

    def test_finds_a_country_by_its_name_in_the_language_of_the_reader(self):
        page = self.open("/statistics", wait=False, language="pt")
        self.field(page, "Onde").fill("alema")
        page.get_by_role("option", name="Alemanha", exact=True).first.click()
        self.until(lambda: self.query(page).get("country") == "DE", "the country in the address")
        told = self.statistics(country="DE")
        self.until(lambda: self.total(page) == told["total"], "the devices of the country")
        expect(self.field(page, "Onde")).to_have_value("Alemanha")

    def test_filters_are_removable_chips(self):
        page = self.open("/statistics?category=webcam&operator=Vista+Mar&setting=outdoor", wait=False)
        expect(page.locator(".active-filters .chip.is-on")).to_have_count(3)
        page.get_by_role("button", name="Remove the filter Vista Mar").click()
        self.until(lambda: "operator" not in self.query(page), "the filter to go")
        names = {term["code"]: term["label"] for term in self.farol().get("/api/taxonomies/settings")["terms"]}
        page.get_by_role("button", name=f"Remove the filter {names['outdoor']}").click()
        self.waits_for_total(page, self.statistics(category="webcam")["total"])
        page.get_by_role("button", name="Filters").click()
        dialog = page.get_by_role("dialog", name="Filters")
        dialog.locator("label").filter(has_text="Fixed camera").first.click()
        dialog.locator(".dialog-foot .primary").click()
        self.waits_for_total(page, self.statistics(category="webcam,camera_fixed")["total"])

    def test_back_and_forward_step_through_the_questions(self):
        page = self.open("/statistics", wait=False)
        everything = self.statistics()["total"]
        self.waits_for_total(page, everything)
        webcams = self.statistics(category="webcam")["total"]
        self.field(page, "What it is").select_option("webcam")
        self.waits_for_total(page, webcams)
        page.go_back()
        self.waits_for_total(page, everything)
        expect(self.field(page, "What it is")).to_have_value("")
        page.go_forward()
        self.waits_for_total(page, webcams)

    def test_an_empty_result_has_a_friendly_message_and_a_way_out(self):
        page = self.open("/statistics?category=toy&bbox=-41,19,-40,20", wait=False)
        self.waits_for_total(page, 0)
        expect(page.locator(".whole-nothing")).to_contain_text("The map may be incomplete here")
        expect(page.locator(".figure-grid")).to_be_hidden()
        page.locator(".whole-nothing").get_by_role("button", name="Reset all").click()
        page.locator(".whole-nothing").get_by_role("button", name="Everywhere").click()
        self.waits_for_total(page, self.statistics()["total"])
        self.shown(page)

    def test_a_refused_question_shows_the_reason_and_an_outage_recovers(self):
        self.allowed_errors = (r"status of (400|503)",)
        page = self.open("/statistics?place=999999999999", wait=False)
        expect(page.locator(".whole-part [role=alert]")).to_contain_text("no place with this number")
        page = self.new_page()
        page.route("**/api/statistics**", lambda route: route.fulfill(status=503))
        page.goto("/statistics")
        expect(page.locator(".whole-part [role=alert]")).to_contain_text("having connection problems")
        page.unroute("**/api/statistics**")
        self.waits_for_total(page, self.statistics()["total"])

    def test_the_tables_open_if_charts_cannot_be_drawn(self):
        self.allowed_errors = (r"echarts", r"ERR_FAILED")
        page = self.new_page()
        page.route("**/echarts*", lambda route: route.abort())
        page.goto(f"/statistics?{MADEIRA}")
        figure = page.locator("#by-category")
        expect(figure.locator("table")).to_be_visible()
        expect(figure).to_contain_text("The chart could not be drawn")


class ComparisonTests(StatisticsTest):
    def test_places_are_compared_with_the_figures_of_the_api(self):
        page = self.open("/statistics?category=radio_counter", wait=False)
        self.field(page, "Add a place").fill("berlin")
        page.get_by_role("option").filter(has_text="Berlin").first.click()
        self.field(page, "Add a place").fill("portu")
        page.get_by_role("option", name="Portugal").first.click()
        figure = self.shown(page, "compare")
        areas = parse_qs(urlsplit(self.address(page)).query)["compare"]
        self.assertEqual(areas[1], "country:PT")
        told = self.statistics(urlencode([("compare", area) for area in areas]), category="radio_counter")
        expect(figure.locator("tbody tr")).to_have_count(3)
        rows = self.table(figure)
        self.assertEqual([number(row[1]) for row in rows], [*[area["total"] for area in told["areas"]], told["total"]])
        self.assertEqual([rows[1][0], rows[2][0]], ["Portugal", "Everywhere"])
        self.field(figure, "The chart shows").select_option("density")
        self.until(lambda: self.query(page).get("measure") == "density", "the address to say so")
        page.reload()
        self.shown(page, "compare")
        page.get_by_role("button", name="Remove Portugal").click()
        expect(figure.locator("tbody tr")).to_have_count(2)

    def test_the_area_of_the_page_is_part_of_the_comparison(self):
        page = self.open("/statistics?country=DE&compare=country:PT", wait=False)
        figure = self.shown(page, "compare")
        told = self.statistics("compare=country:DE&compare=country:PT")
        rows = self.table(figure)
        self.assertEqual([row[0] for row in rows], ["Germany", "Portugal", "Everywhere"])
        self.assertEqual([number(row[1]) for row in rows], [*[area["total"] for area in told["areas"]], told["total"]])
        expect(page.get_by_role("button", name="Remove Germany")).to_have_count(0)
        self.field(page, "Where").focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        self.until(lambda: "country" not in self.query(page), "everywhere to be chosen")
        figure.scroll_into_view_if_needed()
        expect(figure.locator("tbody tr")).to_have_count(2)

    def test_the_csv_of_a_comparison_contains_every_figure(self):
        page = self.open("/statistics?compare=country:PT&compare=country:DE", wait=False)
        figure = self.shown(page, "compare")
        table = self.farol().get(figure.get_by_role("link", name="Table (CSV)").get_attribute("href"), raw=True)
        told = self.statistics("compare=country:PT&compare=country:DE")
        rows = {row["area"]: row for row in csv.DictReader(io.StringIO(table.decode("utf-8")))}
        for area in told["areas"]:
            self.assertEqual(int(rows[area["area"]]["total"]), area["total"])
            self.assertEqual(int(rows[area["area"]]["operator_known"]), area["headline"]["operator_known"]["count"])
        self.assertEqual(int(rows[""]["total"]), told["total"])


class FreshnessTests(WritingTest):
    def test_an_added_device_is_in_the_next_figure(self):
        self.add_device(name="First gate", operator={"name": "Gate & Co", "kind": "company"})
        page = self.page_of()
        page.goto("/statistics?operator=Gate+%26+Co")
        expect(page.locator(".whole-number")).to_have_text("1")
        self.add_device(name="Second gate", operator={"name": "Gate & Co", "kind": "company"})
        page.reload()
        expect(page.locator(".whole-number")).to_have_text("2")


class KeyboardTests(StatisticsTest):
    def test_the_whole_page_works_by_keyboard(self):
        page = self.open(f"/statistics?{MADEIRA}", wait=False)
        figure = self.shown(page)
        self.field(page, "Where").focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        self.until(lambda: "bbox" not in self.query(page), "everywhere to be chosen")
        page.keyboard.type("berlin")
        expect(page.get_by_role("option").filter(has_text="Berlin").first).to_be_visible()
        page.keyboard.press("Escape")
        expect(self.field(page, "Where")).to_have_value("Everywhere")
        figure.get_by_text("View as a table").focus()
        page.keyboard.press("Enter")
        first = figure.get_by_role("link").first
        first.focus()
        name = first.inner_text()
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name=f"Remove the filter {name}")).to_be_visible()


class AccessTests(StatisticsTest):
    WIDER = "() => document.documentElement.scrollWidth - innerWidth"

    def test_meets_wcag_and_fits_the_window_in_every_size_theme_and_language(self):
        found = []
        for language in ("en", "pt"):
            page = self.open(
                "/statistics?compare=country:PT&compare=country:DE&category=webcam,radio_counter,camera_fixed",
                             wait=False, language=language)
            for name in ("category", "operator", "cross", "time", "compare"):
                figure = self.shown(page, name)
                if name != "compare":
                    figure.locator("summary").first.click()
            for size in (DESKTOP, PHONE, NARROW):
                page.set_viewport_size(size)
                # Below the header that stays in view, links would count as partly hidden.
                page.evaluate("scrollTo(0, 0)")
                for theme in ("light", "dark"):
                    page.emulate_media(color_scheme=theme)
                    found += [f"{language} {size['width']} {theme}: {fault}" for fault in violations(page)]
                self.assertLessEqual(page.evaluate(self.WIDER), 0, size)
        self.assertEqual(sorted(set(found)), [])

    def test_series_have_patterns_as_well_as_colours(self):
        page = self.open("/statistics", wait=False)
        figure = self.shown(page, "cross")
        self.assertGreater(figure.locator("svg pattern").count(), 0)

    def test_only_this_page_loads_the_chart_library(self):
        page = self.open(FUNCHAL)
        self.assertIsNone(next((path for path in self.witness.requests if "echarts" in path), None))
        page = self.open("/statistics", wait=False)
        self.shown(page)
        self.assertIsNotNone(next((path for path in self.witness.requests if "echarts" in path), None))


class PhoneStatisticsTests(StatisticsTest, PhoneTest):
    def test_on_a_phone_the_page_is_two_taps_from_the_list(self):
        page = self.open(FUNCHAL)
        page.get_by_role("button", name="Show more of the list").tap()
        page.get_by_role("button", name="More actions").tap()
        page.get_by_role("link", name="Statistics").tap()
        expect(page.locator(".share-card")).to_have_count(3)
        figure = self.shown(page)
        edge = figure.bounding_box()
        self.assertLessEqual(edge["x"] + edge["width"], 390)
