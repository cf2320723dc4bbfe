package dev.ligeiro.desk.http;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.view.RedirectView;

/** The page of the console that a request names as the next one. Nobody can make a link that leads to another site. */
public final class ConsolePath {

    public static final String HOME = "/console";

    private static final Pattern OWN = Pattern.compile("/console(?:[/?][!-~&&[^\\\\]]*)?");

    private ConsolePath() {}

    /** The named page; the first one if it is not a path of the console. */
    public static String of(@Nullable String named) {
        return named != null && OWN.matcher(named).matches() && !named.contains("..") && !named.contains("//")
                ? named
                : HOME;
    }

    /** Leads to the named page; braces in it are no variables. */
    public static RedirectView redirect(@Nullable String named) {
        RedirectView next = new RedirectView(of(named), false, false, false);
        next.setExpandUriTemplateVariables(false);
        return next;
    }

    /** A link to {@code path} that names {@code back} as the page after it. */
    public static String withBack(String path, String back) {
        return back.equals(HOME) ? path : path + "?back=" + URLEncoder.encode(back, StandardCharsets.UTF_8);
    }
}
