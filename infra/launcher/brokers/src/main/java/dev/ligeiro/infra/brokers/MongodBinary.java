package dev.ligeiro.infra.brokers;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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
}
