package dev.ligeiro.infra.launcher.endtoend;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Compares an output with the one in the README. Ids, times, pids, signatures and secrets may differ. {@code …} in the README
 * stands for any text, and white space may differ where the README breaks a line.
 */
final class OutputPattern {

    private static final Pattern ELLIPSIS = Pattern.compile("\\s*…\\s*");
    private static final Pattern WHITE_SPACE = Pattern.compile("\\s+");

    /** The parts that differ from run to run. A part of the README that matches one of them must match the same one in the output. */
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

    private OutputPattern(Pattern pattern) {
        this.pattern = pattern;
    }

    /** @param shown the lines in the README */
    static OutputPattern of(List<String> shown) {
        String text = String.join("\n", shown).strip();
        String regex =
                Stream.of(ELLIPSIS.split(text, -1)).map(OutputPattern::regex).collect(Collectors.joining(".*"));
        return new OutputPattern(Pattern.compile(regex, Pattern.DOTALL));
    }

    boolean matches(String output) {
        return pattern.matcher(output.strip()).matches();
    }

    /** Whether a part of the output matches. */
    boolean isFoundIn(String output) {
        return pattern.matcher(output).find();
    }

    private static String regex(String shown) {
        StringBuilder regex = new StringBuilder();
        Matcher variable = ANY_VARIABLE.matcher(shown);
        int end = 0;
        while (variable.find()) {
            regex.append(literal(shown.substring(end, variable.start())));
            regex.append(patternOf(variable.group()));
            end = variable.end();
        }
        return regex.append(literal(shown.substring(end))).toString();
    }

    private static String patternOf(String variable) {
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
