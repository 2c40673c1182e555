"""Imports further collections through the API, like a program of an admin."""

EDGE = "----farol-edge"


def bring_in(admin, name, content, file="layer.geojson", **fields):
    """The API's response for a collection created from a file."""
    texts = {"id": name, "title": f"Layer {name}", "licence": "CC0-1.0", "attribution": "The city"} | fields
    form = "".join(
        f'--{EDGE}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{text}\r\n' for key, text in texts.items())
    form += (
        f'--{EDGE}\r\nContent-Disposition: form-data; name="file"; filename="{file}"\r\n'
        "Content-Type: application/octet-stream\r\n\r\n")
    return admin.send(
        "POST", "/api/admin/collections", form.encode() + content + f"\r\n--{EDGE}--\r\n".encode(),
        {"Content-Type": f"multipart/form-data; boundary={EDGE}"}, expect=201)[2]
