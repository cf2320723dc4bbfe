package dev.ligeiro.gateway.page.checkout;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ligeiro.view.Language;
import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;
import org.springframework.core.io.ClassPathResource;
import org.springframework.stereotype.Component;

/**
 * Writes the checkout pages as HTML. Style and script are part of each page: a payer mostly opens one page once, so a second request would
 * cost more than the 9 kB, and a page never meets the files of another version during an update.
 */
@Component
class CheckoutHtml {

    private static final int LENGTH = 16_384;

    private final TemplateEngine engine = TemplateEngine.createPrecompiled(ContentType.Html);
    private final String style = read("page.css");
    private final String script = read("page.js");
    private final String policy = "default-src 'none'; script-src " + hash(script) + "; style-src " + hash(style)
            + "; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /** The {@code Content-Security-Policy} of all pages. It allows nothing but the style and the script, by their hashes. */
    String policy() {
        return policy;
    }

    String page(CheckoutPage page) {
        return render("checkout/page.jte", Map.of("page", page, "style", style, "script", script));
    }

    String receipt(CheckoutPage receipt) {
        return render("checkout/receipt.jte", Map.of("receipt", receipt, "style", style, "script", script));
    }

    /** @param key {@code missing}, {@code unpaid} or {@code unavailable} */
    String message(Language language, String key) {
        return render(
                "checkout/message.jte",
                Map.of(
                        "language",
                        language,
                        "style",
                        style,
                        "heading",
                        language.text("checkout." + key + ".heading"),
                        "advice",
                        language.text("checkout." + key + ".advice")));
    }

    /** By a template in {@code src/main/jte}, which the build compiles. Values are escaped for their place in the HTML. */
    private String render(String template, Map<String, Object> parameters) {
        StringOutput html = new StringOutput(LENGTH);
        engine.render(template, parameters, html);
        return html.toString();
    }

    private static String hash(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
            return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JVM has SHA-256", impossible);
        }
    }

    private static String read(String name) {
        try {
            return new ClassPathResource("checkout/" + name).getContentAsString(UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
