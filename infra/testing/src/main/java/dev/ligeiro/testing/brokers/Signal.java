package dev.ligeiro.testing.brokers;

import java.io.IOException;

/** A signal that a test sends to a process. */
public enum Signal {
    TERM,
    INT,
    HUP,
    SEGV,
    /** Ends it at once: it cannot close connections or flush files. */
    KILL,
    /** Suspends it: it neither answers nor closes connections. */
    STOP,
    /** Ends {@link #STOP}. */
    CONT;

    public void send(long pid) {
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
