package dev.ligeiro.gateway.http.request;

import org.jspecify.annotations.Nullable;

/** The characters that a text may contain. */
enum Text {
    /** No control characters. */
    SINGLE_LINE,
    /** No control characters but tab, line feed and carriage return. */
    VERBATIM;

    /** The error message for {@code text}; null when it follows the rule. */
    @Nullable
    String fault(String text) {
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (Character.isISOControl(character) && !isAllowedControl(character)) {
                return "expected no control characters";
            }
            if (Character.isSurrogate(character)) {
                if (!Character.isHighSurrogate(character)
                        || i + 1 == text.length()
                        || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    return "expected whole Unicode characters, found half of a surrogate pair";
                }
                i++;
            }
        }
        return null;
    }

    private boolean isAllowedControl(char character) {
        return this == VERBATIM && (character == '\t' || character == '\n' || character == '\r');
    }
}
