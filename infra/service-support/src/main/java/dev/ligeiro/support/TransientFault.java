package dev.ligeiro.support;

import org.jspecify.annotations.Nullable;

/** MongoDB or Kafka is unavailable, or a time limit was exceeded. The records are valid and must be retried without limit. */
public final class TransientFault extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** @param message without personal data: it is logged */
    public TransientFault(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
