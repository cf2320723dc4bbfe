package dev.ligeiro.infra.launcher.documents;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The commands of a page that work on this machine: README.md of the runbooks says what the marks of the blocks mean. */
public record RunbookPage(String text) {

    private static final String FOLDER = "infra/docs/runbooks";
    private static final String CHANGE = "change";
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```sh (local|change)\\n(.*?)^```$");
    private static final Pattern ADMIN_LINE = Pattern.compile("(?m)^infra/admin .*$");

    /** All runbooks, without the README. */
    public static Stream<Path> paths() {
        return Checkout.documents()
                .filter(page -> Path.of(FOLDER).equals(page.getParent()) && !page.endsWith("README.md"));
    }

    public static RunbookPage read(Path page) {
        return new RunbookPage(Checkout.read(page.toString()));
    }

    /** It defines the functions that the other pages call. */
    public static RunbookPage readme() {
        return read(Path.of(FOLDER, "README.md"));
    }

    /** The parts below the headings of the second level: each is about one thing that somebody sees. */
    List<String> sections() {
        return Arrays.stream(text.split("(?m)^## ")).skip(1).toList();
    }

    /** As GitHub makes it of the heading of a section. */
    static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }

    /** Of a block that changes something, each command of the operator as a dry run. */
    public List<String> commands() {
        return BLOCK.matcher(text)
                .results()
                .flatMap(block -> block.group(1).equals(CHANGE)
                        ? ADMIN_LINE.matcher(block.group(2)).results().map(line -> line.group() + " --dry-run")
                        : Stream.of(block.group(2)))
                .toList();
    }
}
