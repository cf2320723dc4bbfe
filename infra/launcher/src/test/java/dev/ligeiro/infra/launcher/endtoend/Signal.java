package dev.ligeiro.infra.launcher.endtoend;

import java.io.IOException;

/** A signal that a test sends to a process of the system. */
enum Signal {
    /** Ends it at once: it cannot close connections or flush files. */
    KILL,
    /** Suspends it: it neither answers nor closes connections. */
    STOP;

    void send(long pid) {
        try {
            int code = new ProcessBuilder("kill", "-" + name(), Long.toString(pid))
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException("kill -%s %d: exit code %d".formatted(name(), pid, code));
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
