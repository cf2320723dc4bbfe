package dev.ligeiro.infra.standalone.endtoend;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The shape of an output that the README shows: the same text, except that ids, times, numbers of processes, signatures and
 * secrets are others, that {@code …} stands for anything, and that white space may differ where the README breaks a line.
 */
final class OutputShape {

    private static final Pattern LEFT_OUT = Pattern.compile("\\s*…\\s*");
    private static final Pattern WHITE_SPACE = Pattern.compile("\\s+");

    /** What differs from run to run. A match of one of these in the README stands for a match of the same one in the output. */
    private static final List<Pattern> VARIABLE = Stream.of(
                    "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", // an id
                    "[0-9a-f]{32}", // an id within an event id
                    "v1,[A-Za-z0-9+/]{43}=", // a signature
                    "whsec_[A-Za-z0-9+/=]*", // a secret
                    "\\d{4}-\\d{2}-\\d{2}[T ]\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?Z?", // a time
                    "\\d{10,}", // seconds since 1970
                    "\\d+\\.\\d s", // a duration
                    "kill \\d+") // a process
            .map(Pattern::compile)
            .toList();

    private static final Pattern ANY_VARIABLE =
            Pattern.compile(VARIABLE.stream().map(Pattern::pattern).collect(Collectors.joining("|")));

    private final Pattern pattern;

    private OutputShape(Pattern pattern) {
        this.pattern = pattern;
    }

    static OutputShape of(List<String> shown) {
        String text = String.join("\n", shown).strip();
        String regex =
                Stream.of(LEFT_OUT.split(text, -1)).map(OutputShape::regex).collect(Collectors.joining(".*"));
        return new OutputShape(Pattern.compile(regex, Pattern.DOTALL));
    }

    boolean matches(String output) {
        return pattern.matcher(output.strip()).matches();
    }

    /** Whether a part of the output has this shape. */
    boolean isFoundIn(String output) {
        return pattern.matcher(output).find();
    }

    private static String regex(String shown) {
        StringBuilder regex = new StringBuilder();
        Matcher variable = ANY_VARIABLE.matcher(shown);
        int end = 0;
        while (variable.find()) {
            regex.append(literal(shown.substring(end, variable.start())));
            regex.append(kindOf(variable.group()));
            end = variable.end();
        }
        return regex.append(literal(shown.substring(end))).toString();
    }

    private static String kindOf(String variable) {
        return VARIABLE.stream()
                .filter(kind -> kind.matcher(variable).matches())
                .findFirst()
                .orElseThrow()
                .pattern();
    }

    private static String literal(String shown) {
        return Stream.of(WHITE_SPACE.split(shown, -1))
                .map(word -> word.isEmpty() ? "" : Pattern.quote(word))
                .collect(Collectors.joining("\\s*"));
    }

    @Override
    public String toString() {
        return pattern.pattern();
    }
}
