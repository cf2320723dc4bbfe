package dev.ligeiro.gateway.store;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A new certificate for 127.0.0.1.
 *
 * @param file PEM
 * @param withKey PEM, the private key too
 */
record SelfSignedCertificate(Path file, Path withKey) {

    private static final String ALIAS = "mongod";
    private static final String PASSWORD = "changeit";

    /** @param folder of the files */
    static SelfSignedCertificate in(Path folder) {
        Path keys = folder.resolve("keys.p12");
        try {
            makeKeys(keys);
            KeyStore store = KeyStore.getInstance(keys.toFile(), PASSWORD.toCharArray());
            String certificate = pem("CERTIFICATE", store.getCertificate(ALIAS).getEncoded());
            String key = pem(
                    "PRIVATE KEY", store.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded());
            return new SelfSignedCertificate(
                    Files.writeString(folder.resolve("certificate.pem"), certificate),
                    Files.writeString(folder.resolve("with-key.pem"), key + certificate));
        } catch (IOException | GeneralSecurityException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void makeKeys(Path keys) throws IOException, InterruptedException {
        Process keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=127.0.0.1",
                        "-ext",
                        "SAN=ip:127.0.0.1",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        keys.toString()))
                .redirectErrorStream(true)
                .start();
        assertThat(keytool.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }

    private static String pem(String type, byte[] encoded) {
        String lines = Base64.getMimeEncoder(64, "\n".getBytes(US_ASCII)).encodeToString(encoded);
        return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(type, lines);
    }
}
