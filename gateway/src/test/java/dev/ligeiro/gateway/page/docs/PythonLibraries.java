package dev.ligeiro.gateway.page.docs;

import dev.ligeiro.infra.brokers.DeepDelete;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Python libraries that pip has downloaded once into the user's cache folder. */
final class PythonLibraries {

    private static final Duration INSTALL_MAX = Duration.ofMinutes(10);

    private final Path folder;

    private PythonLibraries(Path folder) {
        this.folder = folder;
    }

    /** @param requirements names every library with its version */
    static PythonLibraries of(Path requirements) {
        try {
            Path folder = cache().resolve("python-" + hash(requirements));
            if (!Files.isDirectory(folder)) {
                System.out.println("Downloading the Python libraries of " + requirements + " (once) into " + folder);
                install(requirements, folder);
            }
            return new PythonLibraries(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a Python program printed, and how it ended. */
    record Output(int exitCode, String text) {}

    /** Runs {@code python3} with these libraries. A program that takes longer than {@code max} is killed. */
    Output run(Path workingFolder, Duration max, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of("python3"));
        command.addAll(arguments);
        return run(command, workingFolder, max, folder);
    }

    /** Builds the folder under another name first: a killed test leaves no half folder, and two tests at once do no harm. */
    private static void install(Path requirements, Path folder) throws IOException {
        Files.createDirectories(folder.getParent());
        Path unfinished = Files.createTempDirectory(folder.getParent(), "python-unfinished-");
        try {
            List<String> pip = new ArrayList<>(List.of("python3", "-m", "pip", "install", "--quiet", "--no-deps"));
            pip.addAll(List.of("--disable-pip-version-check", "--no-cache-dir", "--only-binary", ":all:"));
            pip.addAll(List.of("--requirement", requirements.toString()));
            pip.addAll(List.of("--target", unfinished.toString()));
            Output output = run(pip, unfinished, INSTALL_MAX, unfinished);
            if (output.exitCode() != 0) {
                throw new AssertionError("pip failed:\n" + output.text());
            }
            Files.move(unfinished, folder, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            if (!Files.isDirectory(folder)) {
                throw e;
            }
        } finally {
            DeepDelete.delete(unfinished);
        }
    }

    private static Output run(List<String> command, Path workingFolder, Duration max, Path libraries) {
        try {
            Path text = Files.createTempFile("python-", ".out");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(workingFolder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(text.toFile());
            builder.environment().put("PYTHONPATH", libraries.toString());
            Process process = builder.start();
            boolean ended = process.waitFor(max.toMillis(), TimeUnit.MILLISECONDS);
            if (!ended) {
                process.destroyForcibly().waitFor();
            }
            Output output = new Output(ended ? process.exitValue() : -1, Files.readString(text));
            Files.delete(text);
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The user's cache folder (XDG Base Directory Specification), as for mongod. */
    private static Path cache() {
        String xdg = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
        Path caches = xdg.isBlank() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(xdg);
        return caches.resolve("ligeiro");
    }

    private static String hash(Path file) throws IOException {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
            return HexFormat.of().formatHex(hash, 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
