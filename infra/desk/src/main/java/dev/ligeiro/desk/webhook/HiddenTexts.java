package dev.ligeiro.desk.webhook;

import dev.ligeiro.desk.transaction.MaskedText;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.web.util.HtmlUtils;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Texts that nobody may see in the text of somebody else, as they are or as JSON, HTML and URLs have them, and numbers with other separators.
 * Those of one or two characters are not looked for.
 */
final class HiddenTexts {

    private static final JsonMapper JSON = new JsonMapper();
    private static final JsonMapper ASCII =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();
    private static final Pattern NUMBER = Pattern.compile("\\+?(\\d+)");
    private static final Pattern OTHER_THAN_ASCII = Pattern.compile("[^\\x00-\\x7f]");
    private static final int LENGTH_MIN = 3;

    /** A shorter part of a path or header is a word such as {@code api}, unless it has a digit. */
    private static final int PART_MIN = 8;

    /** Of a text that the end has cut. */
    private static final int BEGINNING_MIN = 4;

    private final List<String> forms;
    private final Pattern any;

    HiddenTexts(Collection<String> texts) {
        this.forms = texts.stream()
                .filter(each -> each.length() >= LENGTH_MIN)
                .flatMap(HiddenTexts::forms)
                .distinct()
                .sorted(Comparator.comparing(String::length).reversed())
                .toList();
        this.any = Pattern.compile(
                forms.stream().map(HiddenTexts::pattern).collect(Collectors.joining("|")),
                Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
    }

    /** Adds a path, a query or the value of a header, and its parts, of which a token may be one. */
    static void addWithParts(String text, Collection<String> hidden) {
        hidden.add(text.length() > 1 && text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
        Stream.of(text.split("[/?&=\\s]+"))
                .filter(part -> part.length() >= PART_MIN || part.chars().anyMatch(Character::isDigit))
                .forEach(hidden::add);
    }

    private static Stream<String> forms(String text) {
        String ascii = quoted(ASCII, text);
        String replaced = OTHER_THAN_ASCII.matcher(text).replaceAll("\uFFFD");
        return Stream.of(text, replaced, quoted(JSON, text), ascii, ascii.replace("/", "\\/"))
                .flatMap(each -> Stream.of(
                        each,
                        quoted(JSON, each),
                        HtmlUtils.htmlEscape(each),
                        HtmlUtils.htmlEscape(each, "UTF-8"),
                        URLEncoder.encode(each, StandardCharsets.UTF_8)));
    }

    private static String quoted(JsonMapper json, String text) {
        String value = json.writeValueAsString(text);
        return value.substring(1, value.length() - 1);
    }

    private static String pattern(String form) {
        var number = NUMBER.matcher(form);
        return number.matches() ? String.join("[-./() ]{0,2}", number.group(1).split("")) : Pattern.quote(form);
    }

    String mask(String text) {
        return forms.isEmpty() ? text : withoutCut(any.matcher(text).replaceAll(MaskedText.HIDDEN));
    }

    private String withoutCut(String text) {
        for (String form : forms) {
            for (int length = Math.min(form.length(), text.length()); length >= BEGINNING_MIN; length--) {
                int at = text.length() - length;
                if (text.regionMatches(true, at, form, 0, length)) {
                    return text.substring(0, at) + MaskedText.HIDDEN;
                }
            }
        }
        return text;
    }
}
