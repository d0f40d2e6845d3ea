package io.berth.serving.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Finds the page of a path: an exact one, else the one with the longest prefix. Slashes at the end
/// are part of the path.
///
/// Filled by one thread before it is used; afterwards it does not change.
public final class Mux implements Endpoint {
    private final Map<String, Endpoint> exact = new LinkedHashMap<>();
    private final Map<String, Endpoint> prefixes = new LinkedHashMap<>();
    private final List<String> listed = new ArrayList<>();

    public Mux page(String path, Endpoint page) {
        listed.add(path);
        return unlisted(path, page);
    }

    /// Adds a page that `/statusz` does not mention.
    public Mux unlisted(String path, Endpoint page) {
        if (exact.putIfAbsent(path, page) != null) {
            throw new IllegalStateException("two pages for " + path);
        }
        return this;
    }

    public Mux unlistedPrefix(String path, Endpoint page) {
        if (prefixes.putIfAbsent(path, page) != null) {
            throw new IllegalStateException("two pages for " + path);
        }
        return this;
    }

    /// The first parts of the paths, sorted.
    public List<String> listedFolders() {
        var folders = new TreeSet<String>();
        for (String path : listed) {
            int end = path.indexOf('/', 1);
            folders.add(end < 0 ? path : path.substring(0, end));
        }
        return List.copyOf(folders);
    }

    @Override
    public Reply answer(Call call) {
        Endpoint page = exact.get(call.path());
        return (page == null ? byPrefix(call.path()) : page).answer(call);
    }

    private Endpoint byPrefix(String path) {
        Endpoint found = _ -> Reply.notFound();
        int longest = 0;
        for (Map.Entry<String, Endpoint> entry : prefixes.entrySet()) {
            String prefix = entry.getKey();
            if (path.startsWith(prefix) && prefix.length() > longest) {
                longest = prefix.length();
                found = entry.getValue();
            }
        }
        return found;
    }
}
