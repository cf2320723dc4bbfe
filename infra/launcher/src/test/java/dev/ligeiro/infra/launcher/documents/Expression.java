package dev.ligeiro.infra.launcher.documents;

import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names in an expression of Prometheus. */
record Expression(String text) {

    /** A label value may contain anything, also the name of a metric. */
    private static final Pattern QUOTED = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"");

    private static final Pattern SELECTOR = Pattern.compile("([a-z_:][a-z0-9_:]*)\\s*(?:\\{([^}]*)})?");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)\\s*(?:=~|!~|!=|=)");
    private static final Pattern GROUPING =
            Pattern.compile("\\b(?:by|without|on|ignoring|group_left|group_right)\\s*\\(([^)]*)\\)");
    private static final Pattern RANGE = Pattern.compile("\\[[^]]*]|\\boffset\\s+\\w+");
    private static final Set<String> KEYWORDS = Set.of("and", "or", "unless", "bool", "inf", "nan");

    /** The names of all series that it reads. */
    Set<String> series() {
        Set<String> series = new TreeSet<>();
        Matcher selector = SELECTOR.matcher(selectors());
        while (selector.find()) {
            if (isSeries(selector)) {
                series.add(selector.group(1));
            }
        }
        return series;
    }

    /** The labels that it selects or groups by. */
    Set<String> labels() {
        Set<String> labels = new TreeSet<>();
        Matcher grouping = GROUPING.matcher(text);
        while (grouping.find()) {
            for (String label : grouping.group(1).split(",")) {
                labels.add(label.strip());
            }
        }
        SELECTOR.matcher(selectors())
                .results()
                .map(selector -> selector.group(2))
                .filter(Objects::nonNull)
                .flatMap(inBraces -> LABEL.matcher(inBraces).results())
                .forEach(label -> labels.add(label.group(1)));
        labels.remove("");
        return labels;
    }

    private String selectors() {
        String unquoted = QUOTED.matcher(text).replaceAll("\"\"");
        return RANGE.matcher(GROUPING.matcher(unquoted).replaceAll(" ")).replaceAll(" ");
    }

    /** Not a function, a keyword or the exponent of a number. */
    private boolean isSeries(Matcher selector) {
        String all = selectors();
        boolean isFunction = all.startsWith("(", selector.end())
                || all.substring(selector.end()).stripLeading().startsWith("(");
        boolean isPartOfNumber = selector.start() > 0 && Character.isDigit(all.charAt(selector.start() - 1));
        return !isFunction && !isPartOfNumber && !KEYWORDS.contains(selector.group(1));
    }
}
