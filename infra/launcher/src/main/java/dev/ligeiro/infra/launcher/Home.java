package dev.ligeiro.infra.launcher;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/** The folder of a system: data, logs, pids, demo.env. */
record Home(Path folder) {

    private static final long FREE_BYTES_MIN = 2L << 30;
    private static final int RANDOM_BYTES = 32;
    /** What precedes the 32 bytes of an Ed25519 key in PKCS#8 (RFC 8410). */
    private static final byte[] ED25519 = HexFormat.of().parseHex("302e020100300506032b657004220420");

    /** Keeps the lock files referenced: the garbage collector would close an unreferenced one, which releases its lock. */
    private static final Set<FileChannel> LOCKS = ConcurrentHashMap.newKeySet();

    /**
     * Creates the folder for its owner only. An existing folder keeps its permissions: it may be a folder such as {@code /tmp}.
     *
     * @throws CannotStartException when it cannot be created, or its disk has less than 2 GB free
     */
    static Home at(Path folder) {
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

    /**
     * Prevents a second launcher in this home while this JVM runs. The operating system releases the lock at the end of this JVM, also
     * after SIGKILL.
     *
     * @throws CannotStartException when another launcher uses the home; the message names its pid
     */
    void lock() {
        Path lock = folder.resolve("lock");
        try {
            FileChannel file = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!isLocked(file)) {
                file.close();
                throw new CannotStartException(
                        "%s is in use by the launcher with pid %s: stop that one, or choose another --home"
                                .formatted(folder, Files.readString(lock)));
            }
            LOCKS.add(file);
            String pid = Long.toString(ProcessHandle.current().pid());
            file.truncate(0).write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)));
        } catch (IOException e) {
            throw new CannotStartException(lock + " cannot be locked: " + e, e);
        }
    }

    /** Whether this JVM got the lock, by this call. */
    private static boolean isLocked(FileChannel file) throws IOException {
        try {
            return file.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    /**
     * The folders of the members of a broker: {@code kafka}, {@code kafka-2}, {@code kafka-3}.
     *
     * @throws CannotStartException when their data is that of another number of members, which would not find each other's data
     */
    List<Path> ofMembers(String broker, int count, String option) {
        List<Path> possible = IntStream.rangeClosed(1, Options.MEMBERS_MAX)
                .mapToObj(each -> folder.resolve(each == 1 ? broker : broker + "-" + each))
                .toList();
        long existing = possible.stream().filter(Files::exists).count();
        if (existing != 0 && existing != count) {
            throw new CannotStartException("%s: %d (expected: %d, as when %s was created; or choose another --home)"
                    .formatted(option, count, existing, folder));
        }
        return possible.subList(0, count);
    }

    Path logs() {
        return folder.resolve("logs");
    }

    Path pids() {
        return folder.resolve("pids");
    }

    Path demoMerchant() {
        return folder.resolve("demo.json");
    }

    Path demoLiveMode() {
        return folder.resolve("demo-live.json");
    }

    /** The bank's folder. */
    Path bank() {
        return folder.resolve("bank");
    }

    Path demoEnv() {
        return folder.resolve("demo.env");
    }

    /** The bearer token of the gateway's admin API: random, created once. */
    String adminToken() {
        return createdOnce(
                "admin-token", random -> Base64.getUrlEncoder().withoutPadding().encodeToString(random));
    }

    /** The key that encrypts webhook secrets, {@code <id>:<base64>}: random, created once. */
    String webhookSecretKeys() {
        return createdOnce(
                "webhook-secret-keys", random -> "k1:" + Base64.getEncoder().encodeToString(random));
    }

    /** The key that signs defence bundles, in PKCS#8 without armor: random, created once. */
    String bundleSigningKey() {
        return createdOnce("bundle-signing-key", random -> Base64.getEncoder()
                .encodeToString(ByteBuffer.allocate(ED25519.length + random.length)
                        .put(ED25519)
                        .put(random)
                        .array()));
    }

    /** The secret with which webhooks to the demo merchant's endpoints are signed: random, created once. */
    String demoWebhookSecret() {
        return createdOnce(
                "demo-webhook-secret", random -> "whsec_" + Base64.getEncoder().encodeToString(random));
    }

    /** The secret of the bank's customer: random, created once. The bank reads the same file. */
    String bankClientSecret() {
        return createdOnce("bank/client-secret", random -> HexFormat.of().formatHex(random));
    }

    /** The authority, certificates and secrets of {@code --secure}. */
    Path brokerSecurity() {
        return folder.resolve("secure");
    }

    /** The secret of MongoDB's members, in hexadecimal: random, created once. */
    Path mongodKeyFile() {
        String name = "secure/mongod-key";
        createdOnce(name, random -> HexFormat.of().formatHex(random));
        return folder.resolve(name);
    }

    /** The password of a user of MongoDB: random, created once. */
    String mongodbPassword(String user) {
        return createdOnce(
                "secure/mongodb-password-" + user,
                random -> Base64.getUrlEncoder().withoutPadding().encodeToString(random));
    }

    /** The text of a file that only its owner can read. It is made of 32 random bytes when the file does not exist. */
    private String createdOnce(String name, Function<byte[], String> text) {
        Path file = folder.resolve(name);
        try {
            if (!Files.exists(file)) {
                Files.createDirectories(file.getParent());
                byte[] random = new byte[RANDOM_BYTES];
                new SecureRandom().nextBytes(random);
                PrivateFile.write(file, text.apply(random));
            }
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new CannotStartException(file + " cannot be read: " + e, e);
        }
    }

    /** Writes files that only their owner can read (mode 600). */
    static final class PrivateFile {

        private PrivateFile() {}

        /**
         * Replaces the file atomically.
         *
         * @throws CannotStartException when it cannot be written; the earlier contents stay
         */
        static void write(Path file, String text) {
            try {
                Path draft = Files.createTempFile(
                        file.toAbsolutePath().getParent(),
                        file.getFileName() + ".",
                        ".draft",
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
                try {
                    Files.writeString(draft, text);
                    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
                } finally {
                    Files.deleteIfExists(draft); // the draft of a failed write
                }
            } catch (IOException e) {
                throw new CannotStartException(file + " cannot be written: " + e, e);
            }
        }
    }
}
