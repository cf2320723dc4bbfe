package dev.ligeiro.gateway.page.checkout;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The page's style and script, which are part of each page: a payer mostly opens one page once, so a second request would cost more
 * than the 9 kB, and a page never meets the files of another version during an update.
 *
 * @param policy the {@code Content-Security-Policy} that allows nothing else, by the hashes of the two
 */
public record CheckoutAssets(String style, String script, String policy) {

    static CheckoutAssets load() {
        String style = read("page.css");
        String script = read("page.js");
        return new CheckoutAssets(
                style,
                script,
                "default-src 'none'; script-src " + hash(script) + "; style-src " + hash(style)
                        + "; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    }

    private static String hash(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String read(String name) {
        try (InputStream in = CheckoutAssets.class.getResourceAsStream("/checkout/" + name)) {
            if (in == null) {
                throw new IllegalStateException(name + ": missing from the jar");
            }
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
