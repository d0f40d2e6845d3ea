/// What happens to an object between the request and the store: metadata, life cycle, subresources.
@NullMarked
package io.berth.apiserver.registry;

import org.jspecify.annotations.NullMarked;
