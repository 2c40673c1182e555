"""A server of another version of Farol: the program and the files of a built checkout."""

import subprocess

from support.farol import Farol, new_folder
from support.waiting import until


class OtherVersion(Farol):
    def __init__(self, home, like):
        """`home` is the checkout; it gets the sample, and the street maps of the server `like`."""
        super().__init__(new_folder())
        self.home = home.resolve()
        self.program = self.home / ".build/release/farol"
        subprocess.run([str(self.program), "import", "--sample"], env=self.environment(), cwd=self.home, check=True)
        for file in sorted(like.streets().glob("*")):
            (self.streets() / file.name).symlink_to(file.resolve())

    def environment(self):
        return super().environment() | {"FAROL_HOME": str(self.home)}

    def start(self, patience=120):
        with open(self.folder / "serve.log", "ab") as log:
            self.process = subprocess.Popen([str(self.program), "serve"], env=self.environment(), cwd=self.home, stdout=log,
                                            stderr=log, stdin=subprocess.DEVNULL)
        until(self.is_ready, f"the other version to answer (log: {self.folder}/serve.log)", patience)
        return self
