package dev.ligeiro.infra.launcher.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The files of the checkout. Paths are relative to its root. */
final class Checkout {

    static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

    private Checkout() {}

    static String read(String path) {
        try {
            return Files.readString(ROOT.resolve(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The files of a folder with this ending, in the order of their names; not those of its subfolders. */
    static List<Path> files(String folder, String ending) {
        try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All Markdown files. */
    static Stream<Path> documents() {
        return files(ROOT)
                .filter(file -> file.toString().endsWith(".md"))
                .map(ROOT::relativize)
                .sorted();
    }

    /** All Java files of a module, main code or tests, as one text. */
    static String code(String folder) {
        return files(ROOT.resolve(folder))
                .filter(file -> file.toString().endsWith(".java"))
                .map(file -> read(file.toString()))
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
