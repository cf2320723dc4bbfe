package dev.ligeiro.gateway.page.docs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A file of the documentation.
 *
 * @param tag changes with the content (RFC 9110 §8.8.3)
 */
record DocsFile(SharedContent content, String tag) {

    private static final int TAG_BYTES = 8;

    /** Reads a file of the jar. */
    static DocsFile read(String resource) {
        return of(bytes(resource));
    }

    static byte[] bytes(String resource) {
        try (InputStream in = DocsFile.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + ": missing from the jar");
            }
            return in.readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static DocsFile of(byte[] content) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
            return new DocsFile(new SharedContent(content), HexFormat.of().formatHex(hash, 0, TAG_BYTES));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JVM has SHA-256", impossible);
        }
    }
}
