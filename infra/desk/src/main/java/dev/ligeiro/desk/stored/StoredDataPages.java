package dev.ligeiro.desk.stored;

import dev.ligeiro.desk.operator.Needs;
import dev.ligeiro.desk.operator.Role;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The page Stored data: sizes, the retention of personal data, erasures of persons, and the archive. */
@Controller
class StoredDataPages {

    private final RetentionController retention;
    private final ErasureController erasures;
    private final ArchiveController archive;
    private final SizeController sizes;

    StoredDataPages(
            RetentionController retention,
            ErasureController erasures,
            ArchiveController archive,
            SizeController sizes) {
        this.retention = retention;
        this.erasures = erasures;
        this.archive = archive;
        this.sizes = sizes;
    }

    @GetMapping("/console/stored-data")
    @Needs(Role.READ)
    String page(@RequestParam @Nullable UUID after, Model model) {
        model.addAttribute("retention", retention.show());
        model.addAttribute("page", erasures.list(null, after));
        model.addAttribute("archive", archive.show());
        model.addAttribute("sizes", sizes.show());
        return "stored/page";
    }
}
