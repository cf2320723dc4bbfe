package dev.ligeiro.message;

import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;

/**
 * A record that is no message of ours and never will be: for the dead-letter topic. Its message names the place in the JSON, not
 * what stands there, which may be personal data.
 */
public final class InvalidMessage extends RuntimeException {

    private static final long serialVersionUID = 1L;

    InvalidMessage(JacksonException unreadable) {
        super(unreadable.getClass().getSimpleName() + " at offset " + offset(unreadable));
    }

    InvalidMessage(String message) {
        super(message);
    }

    /** -1 when it is not known, as for JSON that breaks a limit of the parser. */
    private static long offset(JacksonException unreadable) {
        TokenStreamLocation location = unreadable.getLocation();
        return location == null ? -1 : location.getByteOffset();
    }
}
