package dev.ligeiro.infra.bank;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * A CA and the certificates that it has issued, as PEM files {@code NAME.pem} and {@code NAME.key}: the bank's, and those of the brokers of
 * {@code infra/run --secure}. A later start in the same directory finds them again. They are written here byte by byte (RFC 5280), because
 * the JDK's keytool takes seconds for each.
 */
public final class Certificates {

    private static final String CA = "ca";
    private static final Duration LIFE = Duration.ofDays(365);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int OID = 0x06;
    private static final int UTF8_STRING = 0x0C;
    private static final int UTC_TIME = 0x17;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int VERSION = 0xA0;
    private static final int EXTENSIONS = 0xA3;
    private static final int DNS_NAME = 0x82;
    private static final int IP_ADDRESS = 0x87;

    private static final byte[] TRUE = {0x01, 0x01, (byte) 0xFF};
    private static final byte[] ECDSA_WITH_SHA256 = der(SEQUENCE, oid("2A8648CE3D040302"));
    private static final byte[] COMMON_NAME = oid("550403");
    private static final byte[] BASIC_CONSTRAINTS = oid("551D13");
    private static final byte[] SUBJECT_ALTERNATIVE_NAME = oid("551D11");

    private final Path home;
    private final String authority;

    private Certificates(Path home, String authority) {
        this.home = home;
        this.authority = authority;
    }

    /** @param authority the name of the CA */
    public static Certificates in(Path home, String authority) throws IOException, GeneralSecurityException {
        Certificates certificates = new Certificates(home, authority);
        if (!Files.exists(home.resolve("ca.key"))) {
            KeyPair keys = newKeys();
            byte[] constraints = der(SEQUENCE, BASIC_CONSTRAINTS, TRUE, der(OCTET_STRING, der(SEQUENCE, TRUE)));
            byte[] certificate = certificates.certificate(authority, keys, keys.getPrivate(), constraints);
            certificates.write(CA, keys.getPrivate(), pem("CERTIFICATE", certificate));
        }
        return certificates;
    }

    public Path ca() {
        return home.resolve("ca.pem");
    }

    /**
     * Issues a certificate for both ends of a TLS connection, unless there is one of that name.
     *
     * @param hosts names and IPv4 addresses that a server with it may have
     */
    public synchronized Bank.IssuedCertificate issue(String name, List<String> hosts)
            throws IOException, GeneralSecurityException {
        Path key = home.resolve(name + ".key");
        if (!Files.exists(key)) {
            KeyPair keys = newKeys();
            List<byte[]> names = new ArrayList<>();
            for (String host : hosts) {
                names.add(host.matches("[0-9.]+") ? der(IP_ADDRESS, address(host)) : der(DNS_NAME, ascii(host)));
            }
            byte[] extension = der(
                    SEQUENCE, SUBJECT_ALTERNATIVE_NAME, der(OCTET_STRING, der(SEQUENCE, names.toArray(new byte[0][]))));
            byte[] certificate = certificate(name, keys, key(home.resolve("ca.key")), extension);
            write(name, keys.getPrivate(), pem("CERTIFICATE", certificate) + Files.readString(ca()));
        }
        return new Bank.IssuedCertificate(home.resolve(name + ".pem"), key);
    }

    private static KeyPair newKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private byte[] certificate(String name, KeyPair subject, PrivateKey issuer, byte[] extension)
            throws GeneralSecurityException {
        Instant now = Instant.now();
        byte[] content = der(
                SEQUENCE,
                der(VERSION, der(INTEGER, new byte[] {2})),
                der(INTEGER, new BigInteger(120, new SecureRandom()).toByteArray()),
                ECDSA_WITH_SHA256,
                name(authority),
                der(SEQUENCE, time(now.minus(Duration.ofDays(1))), time(now.plus(LIFE))),
                name(name),
                subject.getPublic().getEncoded(),
                der(EXTENSIONS, der(SEQUENCE, extension)));
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(issuer);
        signature.update(content);
        return der(SEQUENCE, content, ECDSA_WITH_SHA256, der(BIT_STRING, new byte[1], signature.sign()));
    }

    private static byte[] name(String commonName) {
        return der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_STRING, ascii(commonName)))));
    }

    private static byte[] time(Instant at) {
        return der(UTC_TIME, ascii(TIME.format(at)));
    }

    private static byte[] oid(String hex) {
        return der(OID, new BigInteger(hex, 16).toByteArray());
    }

    private static byte[] address(String ip) {
        String[] parts = ip.split("\\.");
        byte[] bytes = new byte[parts.length];
        for (int i = 0; i < parts.length; i++) {
            bytes[i] = (byte) Integer.parseInt(parts[i]);
        }
        return bytes;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** A value in DER: its tag, its length, its parts. */
    private static byte[] der(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream value = new ByteArrayOutputStream();
        value.write(tag);
        if (content.size() > 0xFF) {
            value.write(0x82);
            value.write(content.size() >> 8);
        } else if (content.size() > 0x7F) {
            value.write(0x81);
        }
        value.write(content.size());
        value.writeBytes(content.toByteArray());
        return value.toByteArray();
    }

    /**
     * Trusts a CA.
     *
     * @param own the certificate that it proves itself with; null for none
     */
    static SSLContext context(Path ca, Bank.@Nullable IssuedCertificate own)
            throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        if (own != null) {
            Certificate[] chain = read(own.certificate()).toArray(new Certificate[0]);
            keys.setKeyEntry("own", key(own.key()), new char[0], chain);
        }
        KeyManagerFactory keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keyManagers.init(keys, new char[0]);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("ca", read(ca).get(0));
        TrustManagerFactory trustManagers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trustManagers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keyManagers.getKeyManagers(), trustManagers.getTrustManagers(), null);
        return context;
    }

    /** {@code x5t#S256} (RFC 8705 §3.1). */
    static String thumbprint(Certificate certificate) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<Certificate> read(Path pem) throws IOException, GeneralSecurityException {
        return List.copyOf(CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(pem))));
    }

    private static PrivateKey key(Path file) throws IOException, GeneralSecurityException {
        String pem = Files.readString(file).replaceAll("-----[A-Z ]+-----|\\s", "");
        return KeyFactory.getInstance("EC")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem)));
    }

    private static String pem(String type, byte[] content) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + type + "-----\n" + text + "\n-----END " + type + "-----\n";
    }

    /** The key last: a start that was killed writes both again. */
    private void write(String name, PrivateKey key, String certificates) throws IOException {
        Files.writeString(home.resolve(name + ".pem"), certificates);
        writePrivate(home.resolve(name + ".key"), pem("PRIVATE KEY", key.getEncoded()));
    }

    /** Only its owner can read the file, from the start, and it is there whole or not at all. */
    static void writePrivate(Path file, String text) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".draft");
        Files.deleteIfExists(draft);
        Files.createFile(draft, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(draft, text);
        Files.move(draft, file);
    }
}
