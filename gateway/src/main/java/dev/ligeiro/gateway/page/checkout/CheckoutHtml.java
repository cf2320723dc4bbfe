package dev.ligeiro.gateway.page.checkout;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.util.Map;
import org.springframework.stereotype.Component;

/** Writes the checkout pages as HTML, by the templates in {@code src/main/jte}, which the build compiles. */
@Component
class CheckoutHtml {

    private static final int LENGTH = 16_384;

    private final TemplateEngine templates = TemplateEngine.createPrecompiled(ContentType.Html);
    private final CheckoutAssets assets = CheckoutAssets.load();

    /** The {@code Content-Security-Policy} of all pages. */
    String policy() {
        return assets.policy();
    }

    String page(CheckoutPage page) {
        return render("checkout/page.jte", Map.of("page", page, "assets", assets));
    }

    String missing(Language language) {
        return message(language, "missing");
    }

    String unavailable(Language language) {
        return message(language, "unavailable");
    }

    private String message(Language language, String key) {
        return render(
                "checkout/message.jte",
                Map.of(
                        "language",
                        language,
                        "assets",
                        assets,
                        "heading",
                        language.text(key + ".heading"),
                        "advice",
                        language.text(key + ".advice")));
    }

    private String render(String template, Map<String, Object> parameters) {
        StringOutput html = new StringOutput(LENGTH);
        templates.render(template, parameters, html);
        return html.toString();
    }
}
