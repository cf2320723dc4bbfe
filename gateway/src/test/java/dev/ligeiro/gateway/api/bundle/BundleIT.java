package dev.ligeiro.gateway.api.bundle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ligeiro.bundle.SigningKeys;
import dev.ligeiro.fixture.BundleKeys;
import dev.ligeiro.fixture.Deliveries;
import dev.ligeiro.gateway.fixture.TestEndpoint;
import dev.ligeiro.gateway.fixture.TestMerchant;
import dev.ligeiro.gateway.fixture.WithGateway;
import dev.ligeiro.infra.brokers.ProjectRoot;
import dev.ligeiro.infra.client.Api;
import dev.ligeiro.message.EventId;
import dev.ligeiro.store.BalanceFields;
import dev.ligeiro.store.CollectionNames;
import dev.ligeiro.store.EndpointFields;
import dev.ligeiro.store.PostingFields;
import dev.ligeiro.store.TransactionCodec;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.ChangeRef;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Mode;
import dev.ligeiro.transaction.RailReturn;
import dev.ligeiro.transaction.RefundId;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Source;
import dev.ligeiro.transaction.Status;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.webhook.Attempt;
import dev.ligeiro.webhook.AttemptOutcome;
import dev.ligeiro.webhook.Delivery;
import dev.ligeiro.webhook.DeliveryId;
import dev.ligeiro.webhook.DeliveryStatus;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Date;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A bundle of everything that can happen to a payment, and the program that verifies it, with which every change is noticed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BundleIT extends WithGateway {

    private static final JsonMapper JSON = new JsonMapper();
    private static final Path VERIFIER = ProjectRoot.find().resolve("infra/bundle-verify");
    private static final String END_TO_END_ID = "E9988776620260310143114railDEF12";

    /** Its document cannot be decoded. */
    private static final UUID DAMAGED = UUID.randomUUID();

    private final Instant now = gateway.clock().instant().truncatedTo(ChronoUnit.MILLIS);
    private final TestEndpoint endpoint = TestEndpoint.of(merchant);
    private final TransactionId id =
            TransactionId.parse(merchant.created(merchant.cashin())).orElseThrow();
    private final Path folder;
    private final byte[] bundle;

    record Verdict(int status, String out, String error) {}

    BundleIT(@TempDir Path folder) {
        this.folder = folder;
        happen();
        this.bundle = bundle(merchant.api()).body();
    }

    /** A payment, a refund that is made and one that fails, money that the bank moves back, a dispute; webhooks, and the books of it. */
    private void happen() {
        RefundId made = RefundId.at(now);
        RefundId failed = RefundId.at(now);
        RefundId moved = RefundId.at(now);
        stored.append(
                id.toString(),
                new Entry.StatusChanged(Status.PAID, now, Source.RAIL, null, new Settlement(END_TO_END_ID, now), null),
                new Entry.RefundRequested(made, new Amount(10_00), Source.MERCHANT, "return-1", "a shirt", now, null),
                new Entry.RefundMade(made, false, now),
                new Entry.RefundRequested(failed, new Amount(20_00), Source.MERCHANT, "return-2", null, now, null),
                new Entry.RefundFailed(failed, "rejected_by_rail", now),
                Entry.RefundRequested.byRail(moved, new Amount(1_00), RailReturn.of("MED_FRAUDE", "D123"), now),
                new Entry.RefundMade(moved, false, now));
        UUID dispute = stored.disputed(id.toString(), now.plusSeconds(3_600));
        stored.append(
                id.toString(),
                new Entry.DefenseRequested(
                        dispute, "delivered on Monday", new ChangeRef(UUID.randomUUID(), null), now));
        Attempt taken = new Attempt(now, AttemptOutcome.DELIVERED, 200, Duration.ofMillis(12));
        stored.insert(
                Delivery.ended(delivery(2), "transaction.paid", now, DeliveryStatus.DELIVERED, List.of(taken), now));
        stored.insert(Deliveries.answered(delivery(3), "no such order"));
        stored.insert(
                CollectionNames.ENDPOINTS,
                new Document(EndpointFields.ID, TransactionCodec.binary(DAMAGED))
                        .append(EndpointFields.TENANT, merchant.tenant().key())
                        .append(EndpointFields.SLOT, 7));
        stored.insert(Deliveries.answered(new DeliveryId(DAMAGED, new EventId(id, 4)), "gone"));
        posting(event(2), "cashin", 150_75L, -1_51L, Map.of("rail", 150_75L, "merchant", 149_24L, "fees", 1_51L));
        posting("refund_" + made, "refund", -10_00L, 0L, Map.of("merchant", -10_00L, "refundInFlight", 10_00L));
        posting(
                event(5) + "_blocked",
                "dispute_released",
                1_00L,
                0L,
                Map.of("merchant", 1_00L, BalanceFields.BLOCKED, -1_00L));
        posting(event(6), "dispute_blocked", -1_00L, 0L, Map.of("merchant", -1_00L, BalanceFields.BLOCKED, 1_00L));
    }

    private String event(int sequence) {
        return new EventId(id, sequence).toString();
    }

    private DeliveryId delivery(int sequence) {
        return new DeliveryId(endpoint.id(), new EventId(id, sequence));
    }

    private void posting(String postingId, String type, long gross, long commission, Map<String, Long> legs) {
        Document posting = new Document(PostingFields.ID, postingId)
                .append(PostingFields.TENANT, merchant.tenant().key())
                .append(PostingFields.AT, Date.from(now))
                .append(PostingFields.TRANSACTION_ID, TransactionCodec.binary(id.value()))
                .append(PostingFields.TYPE, type)
                .append(PostingFields.GROSS, gross)
                .append(PostingFields.LEGS, new Document(new LinkedHashMap<>(legs)));
        stored.insert(
                CollectionNames.POSTINGS,
                commission == 0 ? posting : posting.append(PostingFields.COMMISSION, commission));
    }

    private String path() {
        return "/api/v1/transaction/" + id + "/bundle";
    }

    private HttpResponse<byte[]> bundle(Api api) {
        try {
            HttpResponse<byte[]> answer =
                    HttpClient.newHttpClient().send(api.request(path()).build(), BodyHandlers.ofByteArray());
            assertThat(answer.statusCode())
                    .as(() -> new String(answer.body(), UTF_8))
                    .isEqualTo(200);
            return answer;
        } catch (IOException | InterruptedException failure) {
            throw new AssertionError(failure);
        }
    }

    @Test
    void itSaysAllThatIsStoredAndTheVerifierProvesIt() throws Exception {
        Verdict verdict = verified(bundle, gateway.url() + "/.well-known/jwks.json");

        assertThat(verdict).extracting(Verdict::status, Verdict::error).containsExactly(0, "");
        JsonNode manifest = JSON.readTree(verdict.out());
        assertThat(manifest.path("format").asString()).isEqualTo("ligeiro-bundle-1");
        assertThat(manifest.path("merchant").asString()).isEqualTo("Café do Zé");
        assertThat(manifest.path("mode").asString()).isEqualTo("test");
        assertThat(manifest.path("transaction_id").asString()).isEqualTo(id.toString());
        assertThat(manifest.path("key_id").asString()).isEqualTo(BundleKeys.SIGNING_ID);
        assertThat(manifest.path("left_out")).isEmpty();
        Map<String, byte[]> files = files(bundle);
        assertThat(files.keySet())
                .containsExactly(
                        "transaction.json",
                        "history.json",
                        "disputes.json",
                        "postings.json",
                        "deliveries.json",
                        "manifest.json",
                        "manifest.json.sig");
        JsonNode transaction = json(files, "transaction.json").at("/transaction/0");
        assertThat(transaction.path("e2e_id").asString()).isEqualTo(END_TO_END_ID);
        assertThat(texts(transaction, "refunds", "status")).containsExactly("refunded", "failed", "refunded");
        assertThat(transaction.has("qr_code_image")).isFalse();
        assertThat(texts(json(files, "history.json"), "history", "type", "source", "event_id"))
                .containsExactly(
                        "defense_requested merchant ",
                        "dispute_opened rail " + event(6),
                        "refund_made rail " + event(5),
                        "refund_requested rail ",
                        "refund_failed rail " + event(4),
                        "refund_requested merchant ",
                        "refund_made rail " + event(3),
                        "refund_requested merchant ",
                        "status_changed rail " + event(2),
                        "status_changed merchant " + event(1));
        JsonNode history = json(files, "history.json").path("history");
        assertThat(history.at("/8/rail/e2e_id").asString()).isEqualTo(END_TO_END_ID);
        assertThat(history.at("/3/rail").toString()).isEqualTo("{\"nature\":\"MED_FRAUDE\",\"rtr_id\":\"D123\"}");
        assertThat(history.at("/1/rail/protocol").asString()).isEqualTo("1313");
        String dispute = json(files, "disputes.json").at("/disputes/0/id").asString();
        assertThat(List.of(
                        history.at("/0/dispute_id").asString(),
                        history.at("/1/dispute_id").asString()))
                .containsOnly(dispute);
        assertThat(texts(json(files, "disputes.json"), "disputes", "status", "amount"))
                .containsExactly("open 1.00");
        assertThat(texts(json(files, "postings.json"), "postings", "type", "gross", "commission", "net"))
                .containsExactlyInAnyOrder(
                        "cashin 150.75 -1.51 149.24",
                        "refund -10.00 0.00 -10.00",
                        "dispute_blocked -1.00 0.00 -1.00",
                        "dispute_released 1.00 0.00 1.00");
        assertThat(new String(files.get("postings.json"), UTF_8)).contains("\"refunds_in_flight\" : \"10.00\"");
        JsonNode deliveries = json(files, "deliveries.json");
        assertThat(texts(deliveries, "deliveries", "host", "event_id", "status"))
                .containsExactly(
                        "example.com " + event(2) + " delivered",
                        "example.com " + event(3) + " exhausted",
                        " " + event(4) + " exhausted");
        assertThat(deliveries.at("/deliveries/0/attempts/0/status_code").asInt())
                .isEqualTo(200);
        assertThat(deliveries.at("/deliveries/1/attempts/0/response").asString())
                .isEqualTo("no such order");
        assertThat(texts(deliveries, "endpoints", "id", "host"))
                .containsExactlyInAnyOrder(endpoint.id() + " example.com", DAMAGED + " ");
        assertThat(deliveries.path("covers").asString()).contains("none to endpoints that were deleted before");
        assertThat(deliveries.path("complete").asBoolean()).isTrue();
    }

    /** A statement that a key may not read is not in its bundle either. */
    @Test
    void aKeySeesWhatItsScopesPermit() throws Exception {
        Api reader =
                gateway.api().withToken(merchant.newKey("transactions:read").key());
        HttpResponse<byte[]> answer = bundle(reader);

        assertThat(files(answer.body()).keySet())
                .containsExactly(
                        "transaction.json", "history.json", "disputes.json", "manifest.json", "manifest.json.sig");
        assertThat(JSON.readTree(verified(answer.body(), keys(BundleKeys.SIGNING))
                                .out())
                        .path("left_out")
                        .toString())
                .isEqualTo("[\"postings.json\",\"deliveries.json\"]");
        assertThat(answer.headers().firstValue("Content-Disposition"))
                .hasValue("attachment; filename=\"transaction-" + id + ".zip\"");
        assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-store");
    }

    @Test
    void itIsForItsMerchantAndModeOnly() {
        TestMerchant another = gateway.newMerchant();

        another.api().get(path()).expectProblem(404, "transaction_not_found");
        gateway.api()
                .withToken(merchant.newKey(Mode.LIVE, null, null).key())
                .get(path())
                .expectProblem(404, "transaction_not_found");
        gateway.api()
                .withToken(merchant.newKey("statement:read").key())
                .get(path())
                .expectProblem(403, "insufficient_scope");
    }

    @Test
    void aKeyThatSignedBeforeStillProves() throws Exception {
        String rotated = new String(
                SigningKeys.parse(List.of(BundleKeys.OTHER, BundleKeys.SIGNING)).publicKeys(), UTF_8);

        assertThat(verified(bundle, written("rotated.json", rotated.getBytes(UTF_8)))
                        .status())
                .isZero();
    }

    /** A copy of the keys that is older than the bundle, or an OpenSSL without Ed25519, does not say that a bundle was changed. */
    @Test
    void withoutTheKeyOrAProgramThatKnowsItNothingIsSaid() throws Exception {
        String keys = written(
                "signing.json", SigningKeys.parse(List.of(BundleKeys.SIGNING)).publicKeys());
        List<Verdict> verdicts = List.of(
                verified(bundle, keys(BundleKeys.OTHER)),
                verified(bundle, written("none.json", "{\"keys\":[]}".getBytes(UTF_8))),
                verified(bundle, folder.resolve("missing").toString()),
                verified(bundle, keys, Map.of("PATH", withOpenssl("exit 1"))),
                verified(with("manifest.json.sig", new byte[64]), keys, Map.of("PATH", withOpenssl("exit 0"))));

        assertThat(verdicts).allSatisfy(verdict -> {
            assertThat(verdict).extracting(Verdict::status, Verdict::out).containsExactly(2, "");
            assertThat(verdict.error()).startsWith("cannot say: ");
        });
        assertThat(verdicts.get(0).error()).contains("no key '" + BundleKeys.SIGNING_ID + "'", "nothing is proven");
        assertThat(verdicts.get(3).error()).contains("openssl is not OpenSSL 3 with Ed25519");
    }

    /** A path on which openssl does only this. */
    private String withOpenssl(String does) throws IOException {
        Path programs = Files.createDirectories(folder.resolve("programs"));
        Path openssl = Files.writeString(programs.resolve("openssl"), "#!/bin/sh\n" + does + "\n");
        assertThat(openssl.toFile().setExecutable(true)).isTrue();
        return programs + ":" + System.getenv("PATH");
    }

    @Test
    void everyChangeIsNoticed() throws Exception {
        Map<String, byte[]> changes = new LinkedHashMap<>();
        changes.put(
                "transaction.json was changed",
                with("transaction.json", replaced("transaction.json", "150.75", "950.75")));
        changes.put("history.json was removed", without("history.json"));
        changes.put("note.json was added", with("note.json", "{}".getBytes(UTF_8)));
        byte[] amount = replaced("transaction.json", "150.75", "950.75");
        byte[] manifest = replaced("manifest.json", sha256(content("transaction.json")), sha256(amount));
        Map<String, byte[]> consistent = files(bundle);
        consistent.put("transaction.json", amount);
        consistent.put("manifest.json", manifest);
        String unsigned = "its manifest is not signed with the key that it names";
        changes.put(unsigned, zip(consistent));
        changes.put(unsigned + " ", with("manifest.json", replaced("manifest.json", "\"test\"", "\"live\"")));
        changes.put(unsigned + "  ", with("manifest.json.sig", new byte[64]));
        changes.put(unsigned + "   ", without("manifest.json.sig"));
        changes.put(unsigned + "    ", without("manifest.json"));
        changes.put("history.json is there twice", twice());
        String form = "it is no archive in the form of a bundle";
        changes.put("has no end", Arrays.copyOf(bundle, bundle.length / 2));
        changes.put(form + " ", with("../notes.json", "{}".getBytes(UTF_8)));
        changes.put(form + "  ", concat(bundle, new byte[1]));
        changes.put(form + "   ", concat("#!/bin/sh\n".getBytes(UTF_8), bundle));
        changes.put(form + "    ", hiding("history.json", "{}".getBytes(UTF_8)));
        changes.put(form + "     ", declared(100));
        changes.put("makes it too large", with("history.json", new byte[65 << 20]));
        String keys = keys(BundleKeys.SIGNING);

        for (Map.Entry<String, byte[]> change : changes.entrySet()) {
            Verdict verdict = verified(change.getValue(), keys);
            assertThat(verdict.status()).as(change.getKey()).isEqualTo(1);
            assertThat(verdict.out()).as(change.getKey()).isEmpty();
            assertThat(verdict.error())
                    .contains("is not proven: ")
                    .contains(change.getKey().strip());
        }
        assertThat(verified(zip(files(bundle)), keys).status()).isZero();
    }

    private byte[] content(String name) {
        return Objects.requireNonNull(files(bundle).get(name));
    }

    private byte[] with(String name, byte[] content) {
        Map<String, byte[]> files = files(bundle);
        files.put(name, content);
        return zip(files);
    }

    private byte[] without(String name) {
        Map<String, byte[]> files = files(bundle);
        files.remove(name);
        return zip(files);
    }

    private byte[] replaced(String name, String text, String by) {
        String content = new String(content(name), UTF_8);
        assertThat(content).contains(text);
        return content.replace(text, by).getBytes(UTF_8);
    }

    /** Java writes no name twice, so another name of the same length is overwritten. */
    private byte[] twice() {
        byte[] bytes = with("other__.json", "{}".getBytes(UTF_8));
        String latin = new String(bytes, StandardCharsets.ISO_8859_1).replace("other__.json", "history.json");
        return latin.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** A second file of that name, after the end of the last file's deflated bytes and counted among them. */
    private byte[] hiding(String name, byte[] content) {
        byte[] hidden = zip(Map.of(name, content));
        hidden = Arrays.copyOf(hidden, last(hidden, 1));
        int descriptor = last(bundle, 7);
        byte[] archive = concat(
                concat(Arrays.copyOf(bundle, descriptor), hidden),
                Arrays.copyOfRange(bundle, descriptor, bundle.length));
        ByteBuffer fields = ByteBuffer.wrap(archive).order(ByteOrder.LITTLE_ENDIAN);
        for (int field : List.of(last(archive, 7) + 8, last(archive, 1) + 20, last(archive, 5) + 16)) {
            fields.putInt(field, fields.getInt(field) + hidden.length);
        }
        return archive;
    }

    /** The last file is said to have another size. */
    private byte[] declared(int size) {
        byte[] archive = bundle.clone();
        ByteBuffer fields = ByteBuffer.wrap(archive).order(ByteOrder.LITTLE_ENDIAN);
        fields.putInt(last(archive, 7) + 12, size).putInt(last(archive, 1) + 24, size);
        return archive;
    }

    /** Where the last record of a kind begins: 1 for the directory's, 5 for the end, 7 for a file's sizes. */
    private static int last(byte[] archive, int kind) {
        String signature = "PK" + (char) kind + (char) (kind + 1);
        return new String(archive, StandardCharsets.ISO_8859_1).lastIndexOf(signature);
    }

    private static byte[] concat(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    private static Map<String, byte[]> files(byte[] archive) {
        Map<String, byte[]> files = new LinkedHashMap<>();
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(archive))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                files.put(entry.getName(), zip.readAllBytes());
            }
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
        return files;
    }

    private static byte[] zip(Map<String, byte[]> files) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                ZipEntry entry = new ZipEntry(file.getKey());
                entry.setTimeLocal(LocalDateTime.of(2026, 11, 30, 11, 2));
                zip.putNextEntry(entry);
                zip.write(file.getValue());
            }
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
        return bytes.toByteArray();
    }

    private static String sha256(byte[] content) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    }

    private static JsonNode json(Map<String, byte[]> files, String name) {
        return JSON.readTree(files.get(name));
    }

    /** Of each item of a list, these members with spaces between. */
    private static List<String> texts(JsonNode of, String list, String... members) {
        return of.path(list)
                .valueStream()
                .map(item -> String.join(
                        " ",
                        Arrays.stream(members)
                                .map(member -> item.path(member).asString())
                                .toList()))
                .toList();
    }

    /** A file with the public part of a key. */
    private String keys(String key) throws IOException {
        return written("keys.json", SigningKeys.parse(List.of(key)).publicKeys());
    }

    private String written(String name, byte[] content) throws IOException {
        return Files.write(folder.resolve(name), content).toString();
    }

    private Verdict verified(byte[] archive, String keys) throws Exception {
        return verified(archive, keys, Map.of());
    }

    private Verdict verified(byte[] archive, String keys, Map<String, String> environment) throws Exception {
        Path out = folder.resolve("out");
        Path error = folder.resolve("error");
        ProcessBuilder verifier = new ProcessBuilder(
                        "python3", VERIFIER.toString(), written("bundle.zip", archive), keys)
                .redirectOutput(out.toFile())
                .redirectError(error.toFile());
        verifier.environment().putAll(environment);
        Process program = verifier.start();
        assertThat(program.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Verdict(program.exitValue(), Files.readString(out), Files.readString(error));
    }
}
