package dev.ligeiro.infra.loadtest.observe;

import java.nio.file.Path;

/** A process that was to be observed is not there any more. */
public final class ProcessGoneException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ProcessGoneException(long pid, Path file, Throwable cause) {
        super("process %d is gone (%s: %s)".formatted(pid, file, cause), cause);
    }
}
