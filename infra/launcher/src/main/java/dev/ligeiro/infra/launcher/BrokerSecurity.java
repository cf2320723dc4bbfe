package dev.ligeiro.infra.launcher;

import dev.ligeiro.infra.bank.Bank.IssuedCertificate;
import dev.ligeiro.infra.bank.Certificates;
import dev.ligeiro.infra.brokers.LocalMongod;
import dev.ligeiro.infra.client.DemoEnv;
import dev.ligeiro.infra.launcher.Home.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What {@code --secure} asks of clients, like the overlay {@code strimzi-mck} of a cluster: Kafka a certificate, whose common name is the
 * user, MongoDB a password, both TLS. The authority, the certificates and the passwords are in the home, made once, for a year; a
 * start without their folder makes new ones.
 *
 * @param certificates of the authority
 * @param mongod what the mongods get
 */
record BrokerSecurity(Home home, Certificates certificates, LocalMongod.Security mongod) {

    /** Of all services, as in the overlay. */
    private static final String MONGODB_USER = "ligeiro";

    /** Before the name of a service, as in the overlay. */
    private static final String KAFKA_USER_PREFIX = "kafka-";

    /** Of the brokers themselves and of the launcher. */
    private static final String KAFKA_USER = "kafka";

    private static final List<String> HOSTS = List.of("localhost", "127.0.0.1");

    /** @throws CannotStartException when the files cannot be written */
    static BrokerSecurity in(Home home) {
        Path folder = home.brokerSecurity();
        try {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Certificates certificates = Certificates.in(folder, "Ligeiro brokers");
            Path certificate = withKey(certificates.issue("mongod", HOSTS));
            Path ca = certificates.ca();
            LocalMongod.Security mongod =
                    new LocalMongod.Security(ca, certificate, home.mongodKeyFile(), DemoEnv.trustIn(ca));
            withKey(certificates.issue(KAFKA_USER, HOSTS));
            BrokerSecurity security = new BrokerSecurity(home, certificates, mongod);
            PrivateFile.write(security.clientSettings(), lines(security.kafkaClient()));
            return security;
        } catch (IOException | GeneralSecurityException e) {
            throw new CannotStartException("--secure: %s has no certificates: %s".formatted(folder, e), e);
        }
    }

    Path ca() {
        return certificates.ca();
    }

    /** A file of {@link #kafkaClient}. */
    Path clientSettings() {
        return home.brokerSecurity().resolve("kafka-client.properties");
    }

    /** With these settings a client of Kafka is the brokers' own user, which may do everything. */
    Map<String, String> kafkaClient() {
        return Map.of(
                "security.protocol", "SSL",
                "ssl.truststore.type", "PEM",
                "ssl.truststore.location", ca().toString(),
                "ssl.keystore.type", "PEM",
                "ssl.keystore.location",
                        home.brokerSecurity().resolve(fileWithKey(KAFKA_USER)).toString());
    }

    /** Settings of the brokers. They refuse whom {@link BrokerRights} has given no right. */
    Map<String, String> kafka() {
        Map<String, String> settings = new HashMap<>(kafkaClient());
        settings.putAll(Map.of(
                "listener.security.protocol.map", "CLIENT:SSL,CONTROLLER:SSL",
                "ssl.client.auth", "required",
                "ssl.principal.mapping.rules", "RULE:^CN=([^,]+)$/$1/",
                "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                "allow.everyone.if.no.acl.found", "false",
                "super.users", "User:" + KAFKA_USER));
        return settings;
    }

    /** Those of the overlay. Each service is a user of its own in Kafka. */
    Map<String, String> settings(ServiceKind kind) {
        IssuedCertificate own = issue(KAFKA_USER_PREFIX + kind.module());
        String bundles = "SPRING_SSL_BUNDLE_PEM_";
        return Map.of(
                "SPRING_KAFKA_SECURITY_PROTOCOL",
                "SSL",
                "SPRING_KAFKA_SSL_BUNDLE",
                "kafka",
                bundles + "KAFKA_TRUSTSTORE_CERTIFICATE",
                ca().toUri().toString(),
                bundles + "KAFKA_KEYSTORE_CERTIFICATE",
                own.certificate().toUri().toString(),
                bundles + "KAFKA_KEYSTORE_PRIVATEKEY",
                own.key().toUri().toString(),
                "SPRING_MONGODB_SSL_ENABLED",
                "true",
                "SPRING_MONGODB_SSL_BUNDLE",
                "mongodb",
                bundles + "MONGODB_TRUSTSTORE_CERTIFICATE",
                ca().toUri().toString());
    }

    /** The same address for the services' user. */
    String withPassword(String mongodbUri) {
        String user = "mongodb://%s:%s@".formatted(MONGODB_USER, home.mongodbPassword(MONGODB_USER));
        return mongodbUri.replace("mongodb://", user) + "&tls=true";
    }

    private IssuedCertificate issue(String user) {
        try {
            return certificates.issue(user, List.of(user));
        } catch (IOException | GeneralSecurityException e) {
            throw new CannotStartException("--secure: no certificate for %s: %s".formatted(user, e), e);
        }
    }

    /** One file, as Kafka and mongod read it. */
    private static Path withKey(IssuedCertificate issued) throws IOException {
        String name = issued.key().getFileName().toString().replaceFirst("\\.key$", "");
        Path file = issued.key().resolveSibling(fileWithKey(name));
        PrivateFile.write(file, Files.readString(issued.key()) + Files.readString(issued.certificate()));
        return file;
    }

    private static String fileWithKey(String name) {
        return name + "-with-key.pem";
    }

    private static String lines(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue() + "\n")
                .collect(Collectors.joining());
    }

    @Override
    public String toString() {
        return "BrokerSecurity[" + home.brokerSecurity() + "]";
    }
}
