package dev.ligeiro.gateway.page.checkout;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.util.Map;
import org.springframework.stereotype.Component;

/** Writes pages as HTML, by the templates in {@code src/main/jte}, which the build compiles. Values are escaped for their place in the HTML. */
@Component
public final class Templates {

    private static final int LENGTH = 16_384;

    private final TemplateEngine engine = TemplateEngine.createPrecompiled(ContentType.Html);

    /**
     * @param template its path below {@code src/main/jte}
     * @param parameters by the names that the template declares
     */
    public String render(String template, Map<String, Object> parameters) {
        StringOutput html = new StringOutput(LENGTH);
        engine.render(template, parameters, html);
        return html.toString();
    }
}
