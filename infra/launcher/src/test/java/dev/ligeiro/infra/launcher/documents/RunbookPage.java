package dev.ligeiro.infra.launcher.documents;

import java.nio.file.Path;
import java.util.List;
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
