package dev.ligeiro.message;

import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;

/**
 * Thrown for a record that is not a valid command or event; it belongs in the dead-letter topic. The exception's message gives the
 * position in the JSON, not the content, which may be personal data.
 */
public final class InvalidMessage extends RuntimeException {

    private static final long serialVersionUID = 1L;

    InvalidMessage(JacksonException unreadable) {
        super(unreadable.getClass().getSimpleName() + " at offset " + offset(unreadable));
    }

    InvalidMessage(String message) {
        super(message);
    }

    /** The byte offset; -1 if unknown, for example when the JSON exceeds a limit of the parser. */
    private static long offset(JacksonException unreadable) {
        TokenStreamLocation location = unreadable.getLocation();
        return location == null ? -1 : location.getByteOffset();
    }
}
