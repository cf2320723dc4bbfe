package dev.ligeiro.message;

import tools.jackson.core.JacksonException;

/**
 * A record that is no message of ours and never will be: for the dead-letter topic. Its message names the place in the JSON, not
 * what stands there, which may be personal data.
 */
public final class InvalidMessage extends RuntimeException {

    private static final long serialVersionUID = 1L;

    InvalidMessage(JacksonException unreadable) {
        super(unreadable.getClass().getSimpleName() + " at offset "
                + unreadable.getLocation().getByteOffset());
    }

    InvalidMessage(String message) {
        super(message);
    }
}
