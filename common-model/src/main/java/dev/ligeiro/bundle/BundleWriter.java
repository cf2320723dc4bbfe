package dev.ligeiro.bundle;

import dev.ligeiro.message.EventId;
import dev.ligeiro.store.BalanceFields;
import dev.ligeiro.store.StoredDelivery;
import dev.ligeiro.store.StoredDispute;
import dev.ligeiro.store.StoredPosting;
import dev.ligeiro.transaction.Amount;
import dev.ligeiro.transaction.Entry;
import dev.ligeiro.transaction.Settlement;
import dev.ligeiro.transaction.Tenant;
import dev.ligeiro.transaction.Transaction;
import dev.ligeiro.transaction.TransactionId;
import dev.ligeiro.transaction.TransactionSnapshot;
import dev.ligeiro.transaction.TransactionSnapshot.RefundSummary;
import dev.ligeiro.view.DeliveryView;
import dev.ligeiro.view.Timestamps;
import dev.ligeiro.view.TransactionView;
import dev.ligeiro.webhook.Delivery;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;

/**
 * Writes bundles: zip archives of JSON files, with a manifest that has the SHA-256 of each, and the Ed25519 signature of the manifest. The
 * same bundle of the same time is the same bytes. It has at most 1 MB. The signature is of plain bytes, so that OpenSSL alone verifies it; a
 * JWS would need a library.
 */
public final class BundleWriter {

    static final String MANIFEST = "manifest.json";
    static final String SIGNATURE = "manifest.json.sig";

    /** Another form gets another name. */
    private static final String FORMAT = "ligeiro-bundle-1";

    private static final String POSTINGS = "postings.json";
    private static final String DELIVERIES = "deliveries.json";
    private static final String COVERED = "Deliveries of the last " + Delivery.KEPT.toDays()
            + " days to these endpoints, which existed when the bundle was made; none to endpoints that were deleted before";

    private static final JsonFactory JSON =
            JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();
    private static final Map<String, String> ACCOUNTS = Map.of(
            BalanceFields.OUT_IN_FLIGHT, "cashouts_in_flight", BalanceFields.REFUND_IN_FLIGHT, "refunds_in_flight");
    private static final Comparator<StoredPosting> BY_TIME =
            Comparator.comparing(StoredPosting::at).thenComparing(StoredPosting::id);
    private static final Comparator<StoredDelivery> BY_EVENT = Comparator.<StoredDelivery>comparingInt(
                    delivery -> delivery.id().eventId().sequence())
            .thenComparing(delivery -> delivery.id().endpointId());

    private final SigningKeys keys;
    private final ZoneId zone;
    private final String installation;
    private final Timestamps timestamps;
    private final TransactionView view;
    private final DeliveryView deliveryView;

    /** @param installation the gateway's public base URL, where the public keys are */
    public BundleWriter(SigningKeys keys, ZoneId zone, String installation) {
        this.keys = keys;
        this.zone = zone;
        this.installation = installation;
        this.timestamps = new Timestamps(zone);
        this.view = new TransactionView(timestamps, installation);
        this.deliveryView = new DeliveryView(timestamps);
    }

    /** Without a key no bundle can be written. */
    public boolean hasKey() {
        return !keys.isEmpty();
    }

    /** The header {@code Content-Disposition} of the archive of a transaction. */
    public static String disposition(TransactionId transaction) {
        return "attachment; filename=\"transaction-" + transaction + ".zip\"";
    }

    public byte[] write(Bundle bundle, Instant madeAt) {
        Archive archive = new Archive(madeAt.truncatedTo(ChronoUnit.SECONDS));
        archive.add("transaction.json", json -> transaction(json, bundle.transaction()));
        archive.add("history.json", json -> history(json, bundle.transaction()));
        if (!bundle.disputes().isEmpty()) {
            archive.add("disputes.json", json -> objects(json, "disputes", bundle.disputes(), this::dispute));
        }
        List<StoredPosting> postings = bundle.postings();
        if (postings == null) {
            archive.leaveOut(POSTINGS);
        } else {
            archive.add(
                    POSTINGS,
                    json -> objects(
                            json, "postings", postings.stream().sorted(BY_TIME).toList(), this::posting));
        }
        Bundle.Deliveries deliveries = bundle.deliveries();
        if (deliveries == null) {
            archive.leaveOut(DELIVERIES);
        } else {
            boolean mayLack = bundle.transaction().createdAt().isBefore(madeAt.minus(Delivery.KEPT));
            archive.add(DELIVERIES, json -> deliveries(json, deliveries, deliveries.complete() && !mayLack));
        }
        return archive.end(bundle);
    }

    private void transaction(JsonGenerator json, Transaction transaction) {
        TransactionSnapshot shown = transaction.snapshot();
        RefundSummary all = new RefundSummary(
                shown.refunds().refunded(),
                shown.refunds().count(),
                transaction.history().refunds());
        objects(json, "transaction", List.of(shown.withRefunds(all)), (each, one) -> view.writeFields(each, one, null));
    }

    /** The newest first. Announced entries have the id of their event, which deliveries and postings have too. */
    private void history(JsonGenerator json, Transaction transaction) {
        List<Entry> entries = transaction.history().entries();
        int sequence = transaction.history().sequence();
        json.writeArrayPropertyStart("history");
        for (int i = entries.size() - 1; i >= 0; i--) {
            Entry entry = entries.get(i);
            json.writeStartObject();
            view.writeEntry(json, entry);
            String event = entry.announced() ? new EventId(transaction.id(), sequence--).toString() : "";
            json.writeStringProperty("event_id", event);
            if (entry.dispute() != null) {
                json.writeStringProperty("dispute_id", entry.dispute().toString());
            }
            rail(json, entry);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** What the rail has said with this entry, beyond its code. */
    private void rail(JsonGenerator json, Entry entry) {
        if (entry instanceof Entry.StatusChanged changed && changed.settlement() != null) {
            Settlement settled = changed.settlement();
            json.writeObjectPropertyStart("rail");
            json.writeStringProperty("e2e_id", settled.endToEndId());
            json.writeStringProperty("settled_at", timestamps.format(settled.at()));
            json.writeEndObject();
        } else if (entry instanceof Entry.RefundRequested moved && moved.rail() != null) {
            json.writeObjectPropertyStart("rail");
            json.writeStringProperty("nature", orEmpty(moved.rail().nature()));
            json.writeStringProperty("rtr_id", orEmpty(moved.rail().rtrId()));
            json.writeEndObject();
        } else if (entry instanceof Entry.DisputeOpened opened) {
            json.writeObjectPropertyStart("rail");
            json.writeStringProperty("amount", opened.amount().toString());
            json.writeStringProperty("situation", orEmpty(opened.situation()));
            json.writeStringProperty("protocol", orEmpty(opened.protocol()));
            json.writeStringProperty("deadline", timestamps.orEmpty(opened.deadline()));
            json.writeStringProperty("opened_at", timestamps.format(opened.openedAt()));
            json.writeEndObject();
        } else if (entry instanceof Entry.DisputeUpdated updated) {
            json.writeObjectPropertyStart("rail");
            json.writeStringProperty("deadline", timestamps.orEmpty(updated.deadline()));
            json.writeEndObject();
        }
    }

    private void dispute(JsonGenerator json, StoredDispute dispute) {
        view.writeDispute(json, dispute.dispute());
    }

    private void posting(JsonGenerator json, StoredPosting posting) {
        json.writeStringProperty("id", posting.id());
        json.writeStringProperty("date_created", timestamps.format(posting.at()));
        json.writeStringProperty("type", posting.type());
        json.writeStringProperty("gross", Amount.decimal(posting.gross()));
        json.writeStringProperty("commission", Amount.decimal(posting.commission()));
        json.writeStringProperty("net", Amount.decimal(posting.gross() + posting.commission()));
        json.writeObjectPropertyStart("accounts");
        posting.legs()
                .forEach((account, cents) ->
                        json.writeStringProperty(ACCOUNTS.getOrDefault(account, account), Amount.decimal(cents)));
        json.writeEndObject();
    }

    /** The deliveries of a deleted endpoint are not found any more, so the file says which endpoints it covers. */
    private void deliveries(JsonGenerator json, Bundle.Deliveries deliveries, boolean complete) {
        json.writeStringProperty("covers", COVERED);
        List<UUID> existing = deliveries.urls().keySet().stream().sorted().toList();
        objects(json, "endpoints", existing, (each, id) -> {
            each.writeStringProperty("id", id.toString());
            each.writeStringProperty("host", deliveries.host(id));
        });
        List<StoredDelivery> sorted =
                deliveries.stored().stream().sorted(BY_EVENT).toList();
        objects(json, "deliveries", sorted, (each, delivery) -> {
            each.writeStringProperty("endpoint_id", delivery.id().endpointId().toString());
            each.writeStringProperty("host", deliveries.host(delivery.id().endpointId()));
            deliveryView.writeFields(each, delivery, delivery.nextAttemptAt());
        });
        json.writeBooleanProperty("complete", complete);
    }

    private interface Members<T> {

        void write(JsonGenerator json, T of);
    }

    private static <T> void objects(JsonGenerator json, String name, List<T> items, Members<T> members) {
        json.writeArrayPropertyStart(name);
        for (T item : items) {
            json.writeStartObject();
            members.write(json, item);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    /** An archive in the making. */
    private final class Archive {

        private final Instant madeAt;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final ZipOutputStream zip = new ZipOutputStream(bytes);
        private final List<ListedFile> files = new ArrayList<>();
        private final List<String> leftOut = new ArrayList<>();

        private Archive(Instant madeAt) {
            this.madeAt = madeAt;
        }

        private record ListedFile(String name, long size, String sha256) {}

        private void add(String name, Consumer<JsonGenerator> members) {
            MessageDigest digest = sha256();
            long size = put(name, zipped -> json(members, new DigestOutputStream(zipped, digest)));
            files.add(new ListedFile(name, size, HexFormat.of().formatHex(digest.digest())));
        }

        private void leaveOut(String name) {
            leftOut.add(name);
        }

        private byte[] end(Bundle bundle) {
            ByteArrayOutputStream manifest = new ByteArrayOutputStream();
            json(json -> manifest(json, bundle), manifest);
            put(MANIFEST, zipped -> zipped.write(manifest.toByteArray()));
            put(SIGNATURE, zipped -> zipped.write(keys.sign(manifest.toByteArray())));
            try {
                zip.close();
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
            return bytes.toByteArray();
        }

        private void manifest(JsonGenerator json, Bundle bundle) {
            Tenant tenant = bundle.transaction().tenant();
            json.writeStringProperty("format", FORMAT);
            json.writeStringProperty("made_at", madeAt.toString());
            json.writeStringProperty("installation", installation);
            json.writeStringProperty("time_zone", zone.getId());
            json.writeStringProperty("merchant", bundle.merchantName());
            json.writeNumberProperty("merchant_number", tenant.merchantNumber());
            json.writeStringProperty("mode", tenant.mode().code());
            json.writeStringProperty("transaction_id", bundle.transaction().id().toString());
            json.writeStringProperty("key_id", keys.currentId());
            objects(json, "files", files, (each, file) -> {
                each.writeStringProperty("name", file.name());
                each.writeNumberProperty("size", file.size());
                each.writeStringProperty("sha256", file.sha256());
            });
            json.writeArrayPropertyStart("left_out");
            leftOut.forEach(json::writeString);
            json.writeEndArray();
        }

        /** Its size. */
        private long put(String name, Content content) {
            try {
                ZipEntry entry = new ZipEntry(name);
                entry.setTimeLocal(LocalDateTime.ofInstant(madeAt, ZoneOffset.UTC));
                zip.putNextEntry(entry);
                content.writeTo(zip);
                zip.closeEntry();
                return entry.getSize();
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }
    }

    private interface Content {

        void writeTo(OutputStream out) throws IOException;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }

    /** Writes a JSON object, indented for people, and leaves the stream open. */
    private static void json(Consumer<JsonGenerator> members, OutputStream out) {
        try (JsonGenerator json = JSON.createGenerator(new Indented(), out)) {
            json.writeStartObject();
            members.accept(json);
            json.writeEndObject();
        }
    }

    private static final class Indented extends ObjectWriteContext.Base {

        private static final DefaultIndenter LINES = new DefaultIndenter("  ", "\n");

        @Override
        public PrettyPrinter getPrettyPrinter() {
            return new DefaultPrettyPrinter().withObjectIndenter(LINES).withArrayIndenter(LINES);
        }
    }
}
