"""Our rules on resources that never heard of us: the templates of any app, read as they are deployed."""
