package dev.ligeiro.gateway.page.docs;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.util.StringUtils;
import org.springframework.web.util.HtmlUtils;

/**
 * The guide as Markdown, made of its page, for programs that read it. It knows the elements that the page has.
 *
 * @param template the Markdown, with the addresses of the page
 */
record GuideText(String title, String summary, String template) {

    /** The page's script replaces it too. */
    private static final String EXAMPLE_ADDRESS = "https://pix.example.com";

    /** A diagram repeats the table below it. */
    private static final Pattern LEFT_OUT = Pattern.compile("(?s)<(figure|button)\\b.*?</\\1>");

    private static final Pattern CODE = Pattern.compile("(?s)<pre[^>]*><code>(.*?)</code></pre>");
    private static final Pattern TABLE = Pattern.compile("<table[^>]*>(.*?)</table>");
    private static final Pattern CELL = Pattern.compile("<t[hd][^>]*>(.*?)</t[hd]>");
    private static final Pattern TAG = Pattern.compile("<[^>]*>");

    static GuideText read() {
        String page = new String(PageFile.bytes("/docs/guide.html"), StandardCharsets.UTF_8);
        return new GuideText(
                between(page, "<title>", "</title>"),
                between(page, "<meta name=\"description\" content=\"", "\">"),
                marked(between(page, "<main id=\"content\">", "</main>")));
    }

    /** @param baseUrl where the caller reaches the gateway, without a slash at its end */
    String markdown(String baseUrl) {
        return template.replace(EXAMPLE_ADDRESS, baseUrl)
                .replace("](/", "](" + baseUrl + "/")
                .replace("](#", "](" + baseUrl + "/docs#");
    }

    /** What llmstxt.org asks for: a title, a summary and links. */
    String llms(String baseUrl) {
        return """
            # %1$s

            > %2$s

            ## Documentation

            - [Guide](%3$s/docs.md): authentication, idempotency, statuses, webhooks, errors, limits, with code
            - [OpenAPI 3.1](%3$s/openapi.json): every operation with its fields, examples and errors
            """
                .formatted(title, summary, baseUrl);
    }

    private static String marked(String html) {
        String page = LEFT_OUT.matcher(html).replaceAll("");
        StringBuilder parts = new StringBuilder();
        Matcher code = CODE.matcher(page);
        int end = 0;
        while (code.find()) {
            parts.append(text(page.substring(end, code.start()))).append(code(code.group(1)));
            end = code.end();
        }
        parts.append(text(page.substring(end)));
        return parts.toString().replaceAll("\n{3,}", "\n\n").strip() + "\n";
    }

    private static String code(String html) {
        return "\n\n```\n" + plain(html) + "\n```\n\n";
    }

    private static String text(String html) {
        String marked = html.replaceAll("\\s+", " ")
                .replaceAll("</?code>", "`")
                .replaceAll("</?strong>", "**")
                .replaceAll("<a [^>]*?href=\"([^\"]*)\"[^>]*>(.*?)</a>", "[$2]($1)")
                .replace("<br>", "; ");
        String lines = TABLE.matcher(marked)
                .replaceAll(table -> Matcher.quoteReplacement(table(table.group(1))))
                .replaceAll("<h1[^>]*> ?", "\n\n# ")
                .replaceAll("<h2[^>]*> ?", "\n\n## ")
                .replaceAll("<h3[^>]*> ?", "\n\n### ")
                .replaceAll("<h4[^>]*> ?", "\n\n#### ")
                .replaceAll("<li[^>]*> ?", "\n- ")
                .replaceAll("<(p|ul|ol|div)\\b[^>]*> ?|</(h[1-4]|p|ul|ol|div)> ?", "\n\n");
        return plain(lines).replaceAll(" *\n *", "\n");
    }

    /** A table of Markdown needs a header. */
    private static String table(String html) {
        StringBuilder table = new StringBuilder("\n\n");
        for (String row : html.split("</tr>")) {
            String cells = CELL.matcher(row).replaceAll("| $1 ").replaceFirst(".*?\\|", "|");
            if (!cells.startsWith("|")) {
                continue;
            }
            int columns = StringUtils.countOccurrencesOf(row, "</t");
            if (table.length() == 2) {
                boolean hasHeader = row.contains("<th");
                table.append(hasHeader ? cells + "|\n" : "| ".repeat(columns) + "|\n")
                        .append("|---".repeat(columns))
                        .append("|\n")
                        .append(hasHeader ? "" : cells + "|\n");
            } else {
                table.append(cells).append("|\n");
            }
        }
        return table.append('\n').toString();
    }

    private static String plain(String html) {
        return HtmlUtils.htmlUnescape(TAG.matcher(html).replaceAll(""));
    }

    private static String between(String text, String start, String end) {
        int from = text.indexOf(start) + start.length();
        return text.substring(from, text.indexOf(end, from));
    }
}
