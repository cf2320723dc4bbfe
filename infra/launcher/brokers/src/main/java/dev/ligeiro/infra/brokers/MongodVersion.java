package dev.ligeiro.infra.brokers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version of a mongod program. */
final class MongodVersion {

    private static final Pattern VERSION = Pattern.compile("db version v(\\d+)\\.");

    private MongodVersion() {}

    /** The major version; 0 when the program does not run on this machine. */
    static int majorOf(Path mongod) {
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
}
