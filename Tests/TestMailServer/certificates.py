"""Certificates of the servers of mail tests."""

import subprocess


def certificate(folder, name):
    """A self-signed certificate for `name` and its key, as two files."""
    kept, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-nodes", "-days", "2", "-subj", "/CN=Farol test", "-addext", f"subjectAltName={name}",
         "-keyout", key, "-out", kept],
        check=True, stderr=subprocess.DEVNULL)
    return kept, key
