package dev.ligeiro.infra.launcher.home;

import dev.ligeiro.infra.launcher.terminal.CannotStartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.function.Function;

/** The folder of a system: data, logs, pids, demo.env. */
public record Home(Path folder) {

    private static final long FREE_BYTES_MIN = 2L << 30;
    private static final int RANDOM_BYTES = 32;

    /**
     * Creates the folder for its owner only. An existing folder keeps its permissions: it may be a folder such as {@code /tmp}.
     *
     * @throws CannotStartException when it cannot be created, or its disk has less than 2 GB free
     */
    public static Home at(Path folder) {
        try {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Files.createDirectories(folder.resolve("logs"));
            requireSpace(Files.getFileStore(folder).getUsableSpace(), folder);
            return new Home(folder);
        } catch (IOException e) {
            throw new CannotStartException("--home: %s cannot be used (%s)".formatted(folder, e), e);
        }
    }

    private static void requireSpace(long free, Path folder) {
        if (free < FREE_BYTES_MIN) {
            throw new CannotStartException("--home: %d MB free on the disk of %s (expected: %d or more)"
                    .formatted(free >> 20, folder, FREE_BYTES_MIN >> 20));
        }
    }

    public Path kafka() {
        return folder.resolve("kafka");
    }

    public Path mongod() {
        return folder.resolve("mongod");
    }

    public Path logs() {
        return folder.resolve("logs");
    }

    public Path lock() {
        return folder.resolve("lock");
    }

    public Path pids() {
        return folder.resolve("pids");
    }

    public Path demoMerchant() {
        return folder.resolve("demo.json");
    }

    public Path demoEnv() {
        return folder.resolve("demo.env");
    }

    /** The bearer token of the gateway's admin API: random, created once. */
    public String adminToken() {
        return createdOnce(
                "admin-token", random -> Base64.getUrlEncoder().withoutPadding().encodeToString(random));
    }

    /** The key that encrypts webhook secrets, {@code <id>:<base64>}: random, created once. */
    public String webhookSecretKeys() {
        return createdOnce(
                "webhook-secret-keys", random -> "k1:" + Base64.getEncoder().encodeToString(random));
    }

    /** The secret with which webhooks to the demo merchant's endpoints are signed: random, created once. */
    public String demoWebhookSecret() {
        return createdOnce(
                "demo-webhook-secret", random -> "whsec_" + Base64.getEncoder().encodeToString(random));
    }

    /** The text of a file that only its owner can read. It is made of 32 random bytes when the file does not exist. */
    private String createdOnce(String name, Function<byte[], String> text) {
        Path file = folder.resolve(name);
        try {
            if (!Files.exists(file)) {
                byte[] random = new byte[RANDOM_BYTES];
                new SecureRandom().nextBytes(random);
                PrivateFile.write(file, text.apply(random));
            }
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new CannotStartException(file + " cannot be read: " + e, e);
        }
    }
}
