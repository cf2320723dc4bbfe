package dev.ligeiro.processor.apply;

import org.jspecify.annotations.Nullable;

/** MongoDB, Kafka or time was short: nothing is wrong with the commands, so they are to be tried again, however often. */
public final class TransientFault extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public TransientFault(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
