"""Records what a page shows as a film: WebM without sound, and its captions as WebVTT."""

import base64
import subprocess
import tempfile
from pathlib import Path

# VP9 with few key frames: pages change little.
CODEC = ("-c:v", "libvpx-vp9", "-crf", "38", "-b:v", "0", "-deadline", "good", "-cpu-used", "2", "-row-mt", "1", "-g", "240",
         "-pix_fmt", "yuv420p", "-an")
FRAMES = 12  # in a second


class Recording:
    """The frames of a page, from `start` to `stop`, each with the time since `start`."""

    def __init__(self, page):
        self.session = page.context.new_cdp_session(page)
        self.page = page
        self.frames = []
        self.session.on("Page.screencastFrame", self._frame)

    def start(self):
        self.frames.append([])
        self.began = None
        self.session.send("Page.startScreencast", {"format": "jpeg", "quality": 92})

    def _frame(self, event):
        time = event["metadata"]["timestamp"]
        self.began = time if self.began is None else self.began
        self.frames[-1].append((time - self.began, base64.b64decode(event["data"])))
        self.session.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})

    def stop(self):
        self.page.wait_for_timeout(200)
        self.session.send("Page.stopScreencast")

    def write(self, file, seconds):
        """Each part lasts so many seconds: a slower one runs faster, the last frame of a shorter one stays."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            lines = []
            for part, frames in enumerate(self.frames):
                last = max(frames[-1][0], seconds - 1.5)
                times = [time * (seconds - 1.5) / last for time, _ in frames] + [seconds]
                for place, (_, picture) in enumerate(frames):
                    path = folder / f"{part:02}-{place:04}.jpg"
                    path.write_bytes(picture)
                    lines += [f"file '{path}'", f"duration {max(times[place + 1] - times[place], 0.001):.4f}"]
            lines.append(lines[-2])  # the duration of the last frame counts only with a file after it
            (folder / "list.txt").write_text("\n".join(lines))
            subprocess.run(
                ["ffmpeg", "-y", "-loglevel", "error", "-f", "concat", "-safe", "0", "-i", folder / "list.txt",
                 "-vf", f"fps={FRAMES}", *CODEC, "-t", str(seconds * len(self.frames)), file], check=True)


def captions(texts, seconds):
    """The captions as WebVTT, one for each part."""
    def clock(time):
        return f"{time // 60:02}:{time % 60:02}.000"
    cues = [f"{clock(place * seconds)} --> {clock((place + 1) * seconds)}\n{text}\n" for place, text in enumerate(texts)]
    return "WEBVTT\n\n" + "\n".join(cues)
