package dev.ligeiro.infra.standalone.endtoend;

import java.io.IOException;

/** What a test does to a process of the system, by its pid. */
enum Signal {
    /** Ends it at once and without a farewell. */
    KILL,
    /** Freezes it: it neither answers nor closes a connection. */
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
