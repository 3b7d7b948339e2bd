"""A page in Chromium without a window, driven over the browser's own pipe: no package beside Python's own.

    page = Page(browser, folder)
    page.open("http://127.0.0.1:8000/")
    page.until("document.body.dataset.ready === 'ok'")
    page.run("document.querySelector('#pin').click()")
    page.close()
"""

import atexit
import base64
import json
import os
import subprocess
import time


class Page:
    def __init__(self, browser, folder, width=1400, height=2000):
        to_browser, self._to = os.pipe()
        self._from, from_browser = os.pipe()
        words = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", f"--user-data-dir={folder}/profile",
                 f"--window-size={width},{height}", "about:blank"]

        def pipes():  # the browser reads from 3 and writes to 4
            first, second = os.dup(to_browser), os.dup(from_browser)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self._process = subprocess.Popen(words, preexec_fn=pipes, close_fds=False, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        atexit.register(self._process.kill)  # of a test that failed
        os.close(to_browser)
        os.close(from_browser)
        self._number, self._left, self.said = 0, b"", []
        target = next(t for t in self._ask("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self._session = self._ask("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.ask(f"{domain}.enable")

    def _hear(self):
        while b"\0" not in self._left:
            some = os.read(self._from, 1 << 16)
            if not some:
                raise RuntimeError("the browser has ended")
            self._left += some
        line, self._left = self._left.split(b"\0", 1)
        return json.loads(line)

    def _ask(self, method, session=None, **words):
        self._number += 1
        message = {"id": self._number, "method": method, "params": words}
        if session:
            message["sessionId"] = session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._hear()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self._note(answer)

    def _note(self, event):
        """What the console says, and what the page threw."""
        words = event.get("params", {})
        if event.get("method") == "Runtime.exceptionThrown":
            self.said.append(words["exceptionDetails"].get("exception", {}).get("description", "an exception"))
        elif event.get("method") == "Runtime.consoleAPICalled" and words["type"] in ("error", "warning"):
            self.said.append(" ".join(str(a.get("value", a.get("description"))) for a in words["args"]))
        elif event.get("method") == "Log.entryAdded" and words["entry"]["level"] == "error":
            self.said.append(f"{words['entry']['text']} {words['entry'].get('url', '')}")

    def ask(self, method, **words):
        return self._ask(method, self._session, **words)

    def open(self, address):
        self.ask("Page.navigate", url=address)

    def run(self, script):
        """What an expression of the page is worth, a promise's end included."""
        answer = self.ask("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def until(self, script, seconds=30):
        end = time.monotonic() + seconds
        asked = f"(() => {{ try {{ return Boolean({script}); }} catch {{ return false; }} }})()"  # a page that is still read has no body
        while not self.run(asked):
            if time.monotonic() > end:
                raise RuntimeError(f"{seconds} s went by without {script}")
            time.sleep(0.02)

    def picture(self, file, width, height):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        time.sleep(0.4)
        with open(file, "wb") as out:
            out.write(base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"]))

    def close(self):
        self._ask("Browser.close")
        self._process.wait()
