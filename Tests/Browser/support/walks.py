"""Recorded walks in the formats that the exposure diary reads."""

import json
from datetime import datetime, timedelta, timezone

START = datetime(2026, 11, 23, 8, 0, tzinfo=timezone.utc)


def walk(places, start=None, seconds=20):
    """Points every few metres through some places: longitude, latitude and time."""
    start = start or recently()
    points = []
    for (west, south), (east, north) in zip(places, places[1:]):
        for step in range(20):
            share = step / 20
            points.append((west + (east - west) * share, south + (north - south) * share))
    points.append(places[-1])
    return [(x, y, start + timedelta(seconds=seconds * place)) for place, (x, y) in enumerate(points)]


def recently(days=7):
    """A morning some days ago: older days are forgotten."""
    now = datetime.now(timezone.utc) - timedelta(days=days)
    return now.replace(hour=10, minute=0, second=0, microsecond=0)


def stamp(time):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def gpx(points):
    body = "".join(f'<trkpt lat="{y:.6f}" lon="{x:.6f}"><time>{stamp(time)}</time></trkpt>\n' for x, y, time in points)
    return ('<?xml version="1.0"?>\n<gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1">'
            f"<trk><trkseg>\n{body}</trkseg></trk></gpx>\n")


def geojson(points):
    return json.dumps({"type": "FeatureCollection", "features": [{
        "type": "Feature", "properties": {"coordTimes": [stamp(time) for _, _, time in points]},
        "geometry": {"type": "LineString", "coordinates": [[x, y] for x, y, _ in points]}}]})


def records(points):
    return json.dumps({"locations": [
        {"latitudeE7": round(y * 1e7), "longitudeE7": round(x * 1e7), "accuracy": 10, "timestamp": stamp(time)}
        for x, y, time in points]})


def semantic(points):
    raw = [{"latE7": round(y * 1e7), "lngE7": round(x * 1e7), "timestamp": stamp(time)} for x, y, time in points]
    place = lambda point: {"latitudeE7": round(point[1] * 1e7), "longitudeE7": round(point[0] * 1e7)}  # noqa: E731
    return json.dumps({"timelineObjects": [{"activitySegment": {
        "startLocation": place(points[0]), "endLocation": place(points[-1]), "simplifiedRawPath": {"points": raw},
        "duration": {"startTimestamp": stamp(points[0][2]), "endTimestamp": stamp(points[-1][2])}}}]})


def android(points):
    return json.dumps({"semanticSegments": [{
        "startTime": stamp(points[0][2]), "endTime": stamp(points[-1][2]),
        "timelinePath": [{"point": f"{y:.7f}°, {x:.7f}°", "time": stamp(time)} for x, y, time in points]}],
        "rawSignals": [], "userLocationProfile": {}}, ensure_ascii=False)


def apple(points):
    start = points[0][2]
    return json.dumps([{
        "startTime": stamp(start), "endTime": stamp(points[-1][2]), "timelinePath": [
            {"point": f"geo:{y:.6f},{x:.6f}",
             "durationMinutesOffsetFromStartTime": str((time - start).total_seconds() / 60)} for x, y, time in points]}])


FORMATS = {"walk.gpx": gpx, "walk.geojson": geojson, "Records.json": records, "2026_NOVEMBER.json": semantic,
           "Timeline.json": android, "location-history.json": apple}
