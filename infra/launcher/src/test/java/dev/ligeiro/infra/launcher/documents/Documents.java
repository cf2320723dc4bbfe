package dev.ligeiro.infra.launcher.documents;

import dev.ligeiro.infra.launcher.monitoring.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The files of the checkout that are read to check the documents. Paths are relative to its root. */
final class Documents {

    private static final Path ROOT = Checkout.ROOT;

    private Documents() {}

    /** All Markdown files. */
    static Stream<Path> all() {
        return files(ROOT)
                .filter(file -> file.toString().endsWith(".md"))
                .map(ROOT::relativize)
                .sorted();
    }

    /** All Java files of a module, main code or tests, as one text. */
    static String code(String folder) {
        return files(ROOT.resolve(folder))
                .filter(file -> file.toString().endsWith(".java"))
                .map(file -> Checkout.read(file.toString()))
                .collect(Collectors.joining());
    }

    /** The names of all classes of the checkout that have a file. */
    static Set<String> classes() {
        return files(ROOT)
                .map(file -> file.getFileName().toString())
                .filter(name -> name.endsWith(".java"))
                .map(name -> name.replace(".java", ""))
                .collect(Collectors.toSet());
    }

    static boolean exists(Path path) {
        return Files.exists(ROOT.resolve(path));
    }

    /** The first groups of all places where the pattern is found. */
    static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<Path> files(Path folder) {
        try (Stream<Path> children = Files.list(folder)) {
            return children
                    .filter(child -> !child.getFileName().toString().matches("\\..*|target|node_modules"))
                    .toList()
                    .stream()
                    .flatMap(child -> Files.isDirectory(child) ? files(child) : Stream.of(child));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
