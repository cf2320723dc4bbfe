package dev.ligeiro.infra.launcher.monitoring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files of the checkout. */
public final class Checkout {

    public static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

    private Checkout() {}

    public static String read(String path) {
        try {
            return Files.readString(ROOT.resolve(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The files of a folder with this ending, in the order of their names. */
    static List<Path> files(String folder, String ending) {
        try (Stream<Path> files = Files.list(ROOT.resolve(folder))) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
